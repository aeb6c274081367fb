// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/spmm.h"

namespace divns {

// Entries of a batch grouped by the row they belong to and, within a row, in the order of the
// entries. So whoever owns a row adds its entries in one fixed order.
//
// Every row has a home, which depends on its number alone, and the rows of one home stand together,
// in the order in which they first occur. A loop whose chunks are homes leaves a row with the same
// core from batch to batch: two cores that do not share a cache take a sixth of a microsecond to
// pass on a line that one of them has written.
class Grouping {
 public:
  static constexpr size_t kHomes = 32;

  explicit Grouping(uint32_t keys) : slots_(keys, kNoSlot) {}

  // Entry e belongs to row keys[e].
  void group(std::span<const uint32_t> keys);

  std::span<const uint32_t> keys() const { return keys_; }
  std::span<const uint32_t> rows() const { return rows_; }
  // For every possible row: its place in rows(), or kNoSlot.
  const std::vector<uint32_t>& slots() const { return slots_; }
  // The places of a home's rows are [home_start(home), home_start(home + 1)).
  size_t home_start(size_t home) const { return home_starts_[home]; }
  // All entries, row after row, and where those of a row begin.
  std::span<const uint32_t> entries() const { return entries_; }
  size_t start(size_t slot) const { return starts_[slot]; }
  std::span<const uint32_t> entries(size_t slot) const {
    return std::span(entries_).subspan(starts_[slot], starts_[slot + 1] - starts_[slot]);
  }

 private:
  void send_home();

  std::vector<uint32_t> keys_;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> rows_;
  std::array<uint32_t, kHomes + 1> home_starts_ = {};
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> entries_;
  // As they first occur.
  std::vector<uint32_t> found_;
  std::vector<uint32_t> counts_;
};

}  // namespace divns
