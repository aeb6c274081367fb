// SPDX-License-Identifier: Apache-2.0
// The whole reader: decompression, blocks, UTF-8, layout, parsing, ids, sorting.
#include "data/reader.h"
#include "divns/error.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const divns::Executor executor(1);
  const divns::fuzz::MemoryFile file(data, size);
  try {
    divns::ScratchSpace disk(std::filesystem::temp_directory_path());
    divns::PairReader reader({}, disk, executor);
    const std::string path = file.path();
    reader.read(std::span(&path, 1));
    reader.finish({}, 1);
  } catch (const divns::Error&) {
  }
  return 0;
}
