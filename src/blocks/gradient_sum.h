// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "distributed/communicator.h"
#include "divns/parallel.h"
#include "divns/table.h"
#include "models/model.h"
#include "train/grouping.h"

namespace divns {

// The gradients of a step for one side of a model, from those of several user blocks. The entries
// of a row are added in the order of the blocks.
class GradientSum {
 public:
  GradientSum(uint32_t rows, uint32_t dim, const Executor& executor);

  void clear();
  // `share` times the gradients of a block; their row r is row first_row + r here.
  void add(const RowGradients& block, uint32_t first_row, float share);
  // The entries of all ranks on every rank, in the order of ranks.
  void gather(Communicator& ranks);
  const RowGradients& sum();

 private:
  const Executor& executor_;
  // The entries: entry e belongs to row rows_[e].
  std::vector<uint32_t> rows_;
  Table pooled_;
  Table ego_;
  Grouping groups_;
  RowGradients sum_;
};

}  // namespace divns
