// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/slots.h"

namespace divns {

// Entries of a batch grouped by the row they belong to and, within a row, in the order of the
// entries, so that the entries of a row are always added in the same order.
//
// The rows are divided into kHomes groups by their number alone: the home of a row. The rows of a
// home are adjacent, in the order in which they first occur. If the chunks of a loop are homes, the
// same core works on a row in every batch. Between cores that do not share a cache, passing on a
// modified cache line takes about 170 ns.
class Grouping {
 public:
  static constexpr size_t kHomes = 32;

  explicit Grouping(uint32_t keys) : slots_(keys, kNoSlot) {}

  // Entry e belongs to row keys[e].
  void group(std::span<const uint32_t> keys);

  std::span<const uint32_t> keys() const { return keys_; }
  std::span<const uint32_t> rows() const { return rows_; }
  // For every possible row: its position in rows(), or kNoSlot.
  const std::vector<uint32_t>& slots() const { return slots_; }
  // The rows of a home are at positions [home_start(home), home_start(home + 1)).
  size_t home_start(size_t home) const { return home_starts_[home]; }
  // All entries row by row, and where the entries of a row begin.
  std::span<const uint32_t> entries() const { return entries_; }
  size_t start(size_t slot) const { return starts_[slot]; }
  std::span<const uint32_t> entries(size_t slot) const {
    return std::span(entries_).subspan(starts_[slot], starts_[slot + 1] - starts_[slot]);
  }

 private:
  void order_by_home();

  std::vector<uint32_t> keys_;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> rows_;
  std::array<uint32_t, kHomes + 1> home_starts_ = {};
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> entries_;
  // Scratch, in the order of first occurrence.
  std::vector<uint32_t> found_;
  std::vector<uint32_t> counts_;
};

}  // namespace divns
