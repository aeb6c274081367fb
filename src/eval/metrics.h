// SPDX-License-Identifier: Apache-2.0
// What a ranked list is worth. T is the set of relevant items, rel_r is 1 if the item at rank r
// (from 1) is in T, hits_k = sum of rel_r over r <= k.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/top_list.h"

namespace divns {

enum class Metric : uint8_t {
  kRecall,     // hits_k / |T|
  kNdcg,       // sum_{r<=k} rel_r / log2(r+1)  over  sum_{r<=min(k,|T|)} 1 / log2(r+1)
  kPrecision,  // hits_k / k
  kHit,        // 1 if hits_k > 0, else 0
  kMrr,        // 1 / rank of the first hit, 0 if there is none up to k
  kMap,        // sum_{r<=k} rel_r hits_r / r  over  min(k,|T|)
};
inline constexpr std::array kMetrics = {Metric::kRecall, Metric::kNdcg, Metric::kPrecision,
                                        Metric::kHit,    Metric::kMrr,  Metric::kMap};

std::string_view metric_name(Metric metric);
// In the symbols above, on one line.
std::string_view metric_formula(Metric metric);

// Computes all metrics at all cut-offs in one pass over a list.
class ListMetrics {
 public:
  // Cut-offs ascending, distinct, at least 1.
  explicit ListMetrics(std::vector<uint32_t> cutoffs);

  const std::vector<uint32_t>& cutoffs() const { return cutoffs_; }
  uint32_t longest() const { return cutoffs_.back(); }
  size_t columns() const { return cutoffs_.size() * kMetrics.size(); }
  size_t column(Metric metric, size_t cutoff_index) const {
    return cutoff_index * kMetrics.size() + static_cast<size_t>(metric);
  }
  // "recall@20", ...
  std::vector<std::string> column_names() const;

  // is_relevant[item] tells whether an item is in T, of which there are `relevant` > 0. The list
  // may be shorter than the cut-offs. Fills `out` (columns() values) and `hit_ranks` with the
  // ranks, from 0, of the hits.
  void measure(std::span<const ScoredItem> list, std::span<const uint8_t> is_relevant,
               size_t relevant, std::span<double> out, std::vector<uint32_t>& hit_ranks) const;

 private:
  std::vector<uint32_t> cutoffs_;
  std::vector<double> discounts_;  // 1 / log2(r+2), r from 0
  std::vector<double> ideal_;      // sums of the first n discounts
};

}  // namespace divns
