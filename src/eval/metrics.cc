// SPDX-License-Identifier: Apache-2.0
#include "eval/metrics.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace divns {

std::string_view metric_name(Metric metric) {
  constexpr std::array<std::string_view, kMetrics.size()> kNames = {"recall", "ndcg", "precision",
                                                                    "hit",    "mrr",  "map"};
  return kNames[static_cast<size_t>(metric)];
}

std::string_view metric_formula(Metric metric) {
  constexpr std::array<std::string_view, kMetrics.size()> kFormulas = {
      "hits_k / |T|",
      "sum_{r<=k} rel_r / log2(r+1), over the same sum of a perfect list",
      "hits_k / k",
      "1 if hits_k > 0, else 0",
      "1 / rank of the first hit, 0 if there is none up to k",
      "sum_{r<=k} rel_r hits_r / r, over min(k, |T|)"};
  return kFormulas[static_cast<size_t>(metric)];
}

ListMetrics::ListMetrics(std::vector<uint32_t> cutoffs) : cutoffs_(std::move(cutoffs)) {
  DIVNS_ASSERT(!cutoffs_.empty() && cutoffs_.front() > 0);
  DIVNS_ASSERT(std::is_sorted(cutoffs_.begin(), cutoffs_.end(), std::less_equal<>()));
  ideal_.push_back(0);
  for (uint32_t r = 0; r < longest(); ++r) {
    discounts_.push_back(1.0 / std::log2(r + 2.0));
    ideal_.push_back(ideal_.back() + discounts_.back());
  }
}

std::vector<std::string> ListMetrics::column_names() const {
  std::vector<std::string> names;
  for (const uint32_t k : cutoffs_)
    for (const Metric metric : kMetrics)
      names.push_back(fmt::format("{}@{}", metric_name(metric), k));
  return names;
}

void ListMetrics::measure(std::span<const ScoredItem> list, std::span<const uint8_t> is_relevant,
                          size_t relevant, std::span<double> out,
                          std::vector<uint32_t>& hit_ranks) const {
  const auto wanted = static_cast<double>(relevant);
  hit_ranks.clear();
  double hits = 0;
  double gain = 0;
  double precisions = 0;
  double reciprocal = 0;
  uint32_t rank = 0;
  for (size_t c = 0; c < cutoffs_.size(); ++c) {
    const uint32_t k = cutoffs_[c];
    for (; rank < std::min<size_t>(k, list.size()); ++rank) {
      if (is_relevant[list[rank].item] == 0) continue;
      if (hits == 0) reciprocal = 1.0 / (rank + 1.0);
      hits += 1;
      gain += discounts_[rank];
      precisions += hits / (rank + 1.0);
      hit_ranks.push_back(rank);
    }
    const size_t reachable = std::min<size_t>(k, relevant);
    out[column(Metric::kRecall, c)] = hits / wanted;
    out[column(Metric::kNdcg, c)] = gain / ideal_[reachable];
    out[column(Metric::kPrecision, c)] = hits / k;
    out[column(Metric::kHit, c)] = hits > 0 ? 1 : 0;
    out[column(Metric::kMrr, c)] = reciprocal;
    out[column(Metric::kMap, c)] = precisions / static_cast<double>(reachable);
  }
}

}  // namespace divns
