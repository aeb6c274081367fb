// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <vector>

#include "divns/evaluate.h"
#include "divns/text_table.h"

namespace divns {
namespace {

std::string range_text(const CountRange& range) {
  if (range.members == 0) return "-";
  return range.low == range.high ? with_commas(range.low)
                                 : with_commas(range.low) + "-" + with_commas(range.high);
}

}  // namespace

std::string evaluation_text(const Evaluation& result) {
  std::vector<std::string> header = {""};
  for (const uint32_t k : result.cutoffs) header.push_back(fmt::format("@{}", k));
  TextTable accuracy(header);
  for (const MetricEntry& metric : metrics()) {
    std::vector<std::string> row = {metric.name};
    for (const uint32_t k : result.cutoffs)
      row.push_back(fmt::format("{:.6f}", result.mean(fmt::format("{}@{}", metric.name, k))));
    accuracy.add(row);
  }
  const auto add_exposure = [&](const char* name, double Exposure::*member, const char* format) {
    std::vector<std::string> row = {name};
    for (const Exposure& exposure : result.exposure)
      row.push_back(fmt::format(fmt::runtime(format), exposure.*member));
    accuracy.add(row);
  };
  add_exposure("coverage", &Exposure::coverage, "{:.6f}");
  add_exposure("gini", &Exposure::gini, "{:.6f}");
  add_exposure("popularity", &Exposure::popularity, "{:.2f}");
  add_exposure("novelty", &Exposure::novelty, "{:.3f}");

  // Groups show the two metrics that papers report, at one cutoff: 20 if it was measured.
  size_t shown = result.cutoffs.size() - 1;
  for (size_t c = 0; c < result.cutoffs.size(); ++c)
    if (result.cutoffs[c] == 20) shown = c;
  const uint32_t k = result.cutoffs[shown];
  const std::string recall = fmt::format("recall@{}", k);
  const std::string ndcg = fmt::format("ndcg@{}", k);
  TextTable users({"users by train pairs", "users", recall, ndcg});
  for (const UserGroupResult& group : result.by_activity)
    users.add({range_text(group.activity), with_commas(group.activity.members),
               fmt::format("{:.6f}", group.means[result.column(recall)]),
               fmt::format("{:.6f}", group.means[result.column(ndcg)])});
  TextTable items({"items by train pairs", "items", "relevant", fmt::format("found@{}", k),
                   fmt::format("share@{}", k)});
  for (const ItemGroupResult& group : result.by_popularity)
    items.add({range_text(group.popularity), with_commas(group.popularity.members),
               with_commas(group.relevant), fmt::format("{:.6f}", group.at[shown].recall),
               fmt::format("{:.6f}", group.at[shown].share)});
  return fmt::format("{}\n{}\n{}", accuracy.text(), users.text(), items.text());
}

}  // namespace divns
