// SPDX-License-Identifier: Apache-2.0
// T is the set of relevant items, rel_r is 1 if the item at rank r (counted from 1) is in T, and
// hits_k is the sum of rel_r over r <= k.
#include "eval/metrics.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/check.h"
#include "base/entry_list.h"

namespace divns {
namespace {

// Discounts 1 / log2(r + 2) of the ranks r = 0, 1, ..., and the sums of the first n of them. Ranks
// beyond the table are rare and computed one by one.
class Discounts {
 public:
  Discounts() {
    ideal_.push_back(0);
    for (size_t rank = 0; rank < kKept; ++rank) {
      discounts_.push_back(formula(rank));
      ideal_.push_back(ideal_.back() + discounts_.back());
    }
  }
  double at(size_t rank) const { return rank < kKept ? discounts_[rank] : formula(rank); }
  double sum_of_first(size_t n) const {
    if (n <= kKept) return ideal_[n];
    double sum = ideal_[kKept];
    for (size_t rank = kKept; rank < n; ++rank) sum += formula(rank);
    return sum;
  }

 private:
  static constexpr size_t kKept = 4096;
  static double formula(size_t rank) { return 1.0 / std::log2(static_cast<double>(rank) + 2.0); }

  std::vector<double> discounts_;
  std::vector<double> ideal_;
};

double count(const RankedHits& hits) {
  return static_cast<double>(hits.ranks.size());
}

// The largest possible number of hits.
size_t reachable(const RankedHits& hits) {
  return std::min<size_t>(hits.cutoff, hits.relevant);
}

double recall(const RankedHits& hits) {
  return count(hits) / static_cast<double>(hits.relevant);
}

double ndcg(const RankedHits& hits) {
  static const Discounts discounts;
  double gain = 0;
  for (const uint32_t rank : hits.ranks) gain += discounts.at(rank);
  return gain / discounts.sum_of_first(reachable(hits));
}

double precision(const RankedHits& hits) {
  return count(hits) / hits.cutoff;
}

double hit(const RankedHits& hits) {
  return hits.ranks.empty() ? 0 : 1;
}

double reciprocal_rank(const RankedHits& hits) {
  return hits.ranks.empty() ? 0 : 1.0 / (hits.ranks[0] + 1.0);
}

double average_precision(const RankedHits& hits) {
  double found = 0;
  double precisions = 0;
  for (const uint32_t rank : hits.ranks) {
    found += 1;
    precisions += found / (rank + 1.0);
  }
  return precisions / static_cast<double>(reachable(hits));
}

EntryList<MetricEntry>& entries() {
  static EntryList<MetricEntry> list(
      "metric",
      {{"recall", "hits_k / |T|", recall},
       {"ndcg", "sum_{r<=k} rel_r / log2(r+1), over the same sum of a perfect list", ndcg},
       {"precision", "hits_k / k", precision},
       {"hit", "1 if hits_k > 0, else 0", hit},
       {"mrr", "1 / rank of the first hit, 0 if there is none up to k", reciprocal_rank},
       {"map", "sum_{r<=k} rel_r hits_r / r, over min(k, |T|)", average_precision}});
  return list;
}

}  // namespace

void register_metric(MetricEntry entry) {
  if (entry.name.find('@') != std::string::npos)
    fail("the metric '{}' has a cutoff in its name; register the name without it.", entry.name);
  entries().add(std::move(entry), [](const MetricEntry& added) { return bool(added.value); });
}

std::span<const MetricEntry> metrics() {
  return entries().all();
}

uint32_t check_metric(std::string_view text) {
  const size_t at = text.find('@');
  entries().find(text.substr(0, at));
  uint32_t cutoff = 0;
  const std::string_view digits = at == std::string_view::npos ? "" : text.substr(at + 1);
  const auto end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, cutoff);
  if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != end || cutoff == 0)
    fail("'{}' was given, but a metric with its cutoff is expected, as in {}@20.", text,
         text.substr(0, at));
  return cutoff;
}

ListMetrics::ListMetrics(std::vector<uint32_t> cutoffs) : cutoffs_(std::move(cutoffs)) {
  DIVNS_ASSERT(!cutoffs_.empty() && cutoffs_.front() > 0);
  DIVNS_ASSERT(std::is_sorted(cutoffs_.begin(), cutoffs_.end(), std::less_equal<>()));
}

std::vector<std::string> ListMetrics::column_names() const {
  std::vector<std::string> names;
  for (const uint32_t k : cutoffs_)
    for (const MetricEntry& metric : metrics())
      names.push_back(fmt::format("{}@{}", metric.name, k));
  return names;
}

void ListMetrics::measure(std::span<const ScoredItem> list, std::span<const uint8_t> is_relevant,
                          size_t relevant, std::span<double> out,
                          std::vector<uint32_t>& hit_ranks) const {
  hit_ranks.clear();
  uint32_t rank = 0;
  size_t column = 0;
  for (const uint32_t k : cutoffs_) {
    for (; rank < std::min<size_t>(k, list.size()); ++rank)
      if (is_relevant[list[rank].item] != 0) hit_ranks.push_back(rank);
    for (const MetricEntry& metric : metrics())
      out[column++] = metric.value({hit_ranks, relevant, k});
  }
}

}  // namespace divns
