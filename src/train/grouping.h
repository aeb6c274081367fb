// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/spmm.h"

namespace divns {

// Entries of a batch grouped by the row they belong to, in the order in which rows first occur and,
// within a row, in the order of the entries. So whoever owns a row adds its entries in one fixed
// order.
class Grouping {
 public:
  explicit Grouping(uint32_t keys) : slots_(keys, kNoSlot) {}

  // Entry e belongs to row keys[e].
  void group(std::span<const uint32_t> keys);

  std::span<const uint32_t> keys() const { return keys_; }
  std::span<const uint32_t> rows() const { return rows_; }
  // For every possible row: its place in rows(), or kNoSlot.
  const std::vector<uint32_t>& slots() const { return slots_; }
  // All entries, row after row, and where those of a row begin.
  std::span<const uint32_t> entries() const { return entries_; }
  size_t start(size_t slot) const { return starts_[slot]; }
  std::span<const uint32_t> entries(size_t slot) const {
    return std::span(entries_).subspan(starts_[slot], starts_[slot + 1] - starts_[slot]);
  }

 private:
  std::vector<uint32_t> keys_;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> rows_;
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> entries_;
};

}  // namespace divns
