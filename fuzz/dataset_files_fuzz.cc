// SPDX-License-Identifier: Apache-2.0
// The files of a prepared dataset as untrusted bytes; the first byte selects the reader.
#include <cstdint>
#include <cstring>
#include <vector>

#include "data/dataset_files.h"
#include "data/manifest.h"
#include "divns/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  // Mapped files begin at a page; the copy begins at least at a word.
  std::vector<uint64_t> words(size / 8 + 1);
  std::memcpy(words.data(), data + 1, size - 1);
  const auto file = std::as_bytes(std::span(words)).first(size - 1);
  try {
    if (data[0] % 3 == 0) {
      const divns::Interactions rows = divns::view_part(file, "fuzz");
      for (uint32_t user = 0; user < rows.users(); ++user)
        for (const uint32_t item : rows.row(user))
          if (item >= rows.item_count) __builtin_trap();
    } else if (data[0] % 3 == 1) {
      const divns::StringTable table(file, "fuzz");
      for (uint32_t i = 0; i < table.size(); ++i)
        if (table[i].size() > size) __builtin_trap();
      table.find("x");
    } else {
      divns::parse_manifest({reinterpret_cast<const char*>(file.data()), file.size()}, "fuzz");
    }
  } catch (const divns::Error&) {
  }
  return 0;
}
