// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "divns/table.h"

namespace divns {

// Rows of one side of a model with what the optimizer keeps for them. Tables without rows: an
// optimizer without moments.
struct RowState {
  Table parameters = {};
  Table m = {};
  Table v = {};
};

// What a training hands over to a trainer that continues it: a trainer of other rows, or of other
// pairs, may come next. All rows are current at `steps`.
struct TrainingState {
  RowState users = {};
  RowState items = {};
  uint64_t steps = 0;   // of the optimizer
  uint32_t epochs = 0;  // done so far
  // What the sampler remembers (Sampler::remembered_items); empty: nothing yet.
  std::vector<uint32_t> remembered = {};
};

}  // namespace divns
