// SPDX-License-Identifier: Apache-2.0
// Groups of items and lists of items.
#include "data/item_groups.h"
#include "data/item_lists.h"
#include "divns/error.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const divns::fuzz::MemoryFile file(data, size);
  try {
    divns::read_item_groups(file.path(), 3, {});
  } catch (const divns::Error&) {
  }
  try {
    divns::read_item_lists(file.path(), 3, 3, {});
  } catch (const divns::Error&) {
  }
  return 0;
}
