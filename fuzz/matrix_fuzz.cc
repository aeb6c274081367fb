// SPDX-License-Identifier: Apache-2.0
// What `divns dpp` reads: .npy or text.
#include "divns/error.h"
#include "io/matrix_file.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const divns::fuzz::MemoryFile file(data, size);
  try {
    const auto table = divns::read_matrix(file.path());
    if (table.values.size() != table.rows * table.columns) __builtin_trap();
  } catch (const divns::Error&) {
  }
  return 0;
}
