// SPDX-License-Identifier: Apache-2.0
// The steps from pairs of any source to a prepared folder.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/memory_budget.h"
#include "data/reader.h"
#include "divns/prepare.h"

namespace divns {

// Where the pairs come from: the sources of the training part, then the caller's own validation and
// test part where there are any.
struct PairSources {
  std::function<void(PairReader&)> read;
  size_t train = 1;  // number of sources of the training part
  bool valid = false;
  bool test = false;
  std::vector<std::string> names;  // for the recipe
  bool only_train = false;         // the caller's split has no other parts

  bool own_split() const { return valid || test || only_train; }
};

// Reads, filters, splits and writes the folder `output`, whole or not at all. What is written does
// not depend on the budget.
PrepareReport prepare_from(const PairSources& sources, const std::filesystem::path& output,
                           const PrepareOptions& options, const MemoryBudget& budget,
                           const Executor& executor);

}  // namespace divns
