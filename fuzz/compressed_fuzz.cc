// SPDX-License-Identifier: Apache-2.0
// The whole reader: decompression, blocks, UTF-8, layout, parsing, ids, sorting.
#include "data/reader.h"
#include "divns/error.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const divns::Executor executor(1);
  const divns::fuzz::MemoryFile file(data, size);
  try {
    divns::ReadRequest request;
    request.memory_limit = 64 << 20;
    divns::PairReader reader(request, executor);
    reader.read(file.path());
    reader.finish(true);
  } catch (const divns::Error&) {
  }
  return 0;
}
