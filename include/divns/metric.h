// SPDX-License-Identifier: Apache-2.0
// Metrics of ranked lists. A metric is a function of the ranks of the relevant items, so a new one
// is a few lines:
//
//   divns::register_metric({.name = "first",
//                           .formula = "1 if the first item is relevant",
//                           .value = [](const divns::RankedHits& hits) {
//                             return !hits.ranks.empty() && hits.ranks[0] == 0 ? 1.0 : 0.0;
//                           }});
//
// From then on every evaluation measures first@10, first@20, ... and it can be the metric of early
// stopping. Register before the first evaluation; registration is not synchronised with other
// threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace divns {

// What is known about the first `cutoff` places of one user's list.
struct RankedHits {
  std::span<const uint32_t> ranks;  // of the relevant items, counted from 0, ascending
  size_t relevant = 1;              // number of relevant items of the user, at least 1
  uint32_t cutoff = 1;              // k
};

struct MetricEntry {
  std::string name;     // without the cutoff: "recall"
  std::string formula;  // on one line
  std::function<double(const RankedHits&)> value;
};

// Throws Error if the name is empty, taken or contains '@', or if there is no function.
void register_metric(MetricEntry entry);
// The built-in metrics, then the registered ones.
std::span<const MetricEntry> metrics();

// Checks a metric with its cutoff, as in "ndcg@10". Throws Error for an unknown name, with the
// nearest known one, or a cutoff that is not a number from 1 on. Returns the cutoff.
uint32_t check_metric(std::string_view name_at_cutoff);

}  // namespace divns
