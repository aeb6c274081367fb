// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "divns/metric.h"
#include "eval/top_list.h"

namespace divns {

// Computes all metrics at all cutoffs for one list. Columns are ordered by cutoff, then by metric.
class ListMetrics {
 public:
  // Cutoffs ascending, distinct, at least 1.
  explicit ListMetrics(std::vector<uint32_t> cutoffs);

  const std::vector<uint32_t>& cutoffs() const { return cutoffs_; }
  uint32_t longest() const { return cutoffs_.back(); }
  size_t columns() const { return cutoffs_.size() * metrics().size(); }
  // "recall@20", ...
  std::vector<std::string> column_names() const;

  // is_relevant[item] says whether an item is relevant; `relevant` > 0 items are. The list may be
  // shorter than the cutoffs. Fills `out` (columns() values) and `hit_ranks` with the ranks of the
  // relevant items, counted from 0.
  void measure(std::span<const ScoredItem> list, std::span<const uint8_t> is_relevant,
               size_t relevant, std::span<double> out, std::vector<uint32_t>& hit_ranks) const;

 private:
  std::vector<uint32_t> cutoffs_;
};

}  // namespace divns
