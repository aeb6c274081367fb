// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "divns/random.h"

namespace divns {

// Draws k with probability weights[k] / sum in constant time (Walker's alias method, built by
// Vose's two stacks): each of the n cells is shared by at most two outcomes.
class AliasTable {
 public:
  // Weights must be finite and not negative, and at least one must be positive.
  explicit AliasTable(std::span<const double> weights);

  size_t size() const { return cells_.size(); }

  // One 64-bit word selects the cell (high part of word * n) and the outcome in the cell (low
  // part).
  uint32_t draw(Draws& draws) const {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{draws.u64()} * cells_.size();
    const auto at = static_cast<uint32_t>(product >> 64);
    const Cell& cell = cells_[at];
    return static_cast<uint64_t>(product) < cell.keep ? at : cell.other;
  }

 private:
  struct Cell {
    uint64_t keep;   // share of the cell that gives its own outcome, in units of 2^-64
    uint32_t other;  // outcome of the remaining share
  };
  std::vector<Cell> cells_;
};

}  // namespace divns
