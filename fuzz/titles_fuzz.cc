// SPDX-License-Identifier: Apache-2.0
#include "data/item_titles.h"
#include "divns/error.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<std::string> names = {"1", "2", "a"};
  static const divns::IdList ids(names);
  const divns::fuzz::MemoryFile file(data, size);
  try {
    divns::read_item_titles(file.path(), size % 2 == 0 ? "" : "title", ids);
  } catch (const divns::Error&) {
  }
  return 0;
}
