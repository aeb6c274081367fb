// SPDX-License-Identifier: Apache-2.0
// The binary files of a prepared dataset, little-endian, made to be memory-mapped
// (docs/formats.md). Everything that reads them takes hostile input: sizes, offsets, order
// and ranges are checked before use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/files.h"
#include "data/id_list.h"
#include "data/slab_store.h"
#include "divns/interactions.h"

namespace divns {

// Writers work within a StagedFolder, whose commit makes what they wrote safe.

// Rows of pairs: train.bin, valid.bin, test.bin.
void write_part(AtomicFile file, const SlabStore& part, uint32_t items);
// `name` is for the sentence of the Error.
Interactions view_part(std::span<const std::byte> file, const std::string& name);

// A list of strings: users.bin, items.bin, item_names.bin.
class StringTable {
 public:
  StringTable() = default;
  StringTable(std::span<const std::byte> file, const std::string& name);

  uint32_t size() const {
    return offsets_.empty() ? 0 : static_cast<uint32_t>(offsets_.size() - 1);
  }
  std::string_view operator[](uint32_t index) const {
    return {text_ + offsets_[index], static_cast<size_t>(offsets_[index + 1] - offsets_[index])};
  }
  // By bisection; only for tables whose strings are in the order of ids (see order_of_ids).
  std::optional<uint32_t> find(std::string_view text) const;

 private:
  std::span<const uint64_t> offsets_;
  const char* text_ = nullptr;
  bool numeric_ = false;
};
void write_strings(AtomicFile file, const IdList& strings);

}  // namespace divns
