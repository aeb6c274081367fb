// SPDX-License-Identifier: Apache-2.0
#include "base/toml.h"
#include "divns/error.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const divns::fuzz::MemoryFile file(data, size);
  try {
    divns::read_toml(file.path());
  } catch (const divns::Error&) {
  }
  return 0;
}
