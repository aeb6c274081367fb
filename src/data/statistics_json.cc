// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/json.h"
#include "divns/statistics.h"

namespace divns {
namespace {

// "min", "p10", ..., "max": the names people look for in a data frame.
std::string quantile_name(double quantile) {
  if (quantile == 0) return "min";
  if (quantile == 1) return "max";
  return fmt::format("p{:.0f}", 100 * quantile);
}

Json to_json(const DegreeSummary& summary) {
  Json json;
  for (size_t k = 0; k < summary.quantiles.size(); ++k)
    json[quantile_name(DegreeSummary::kQuantiles[k])] = summary.quantiles[k];
  json["mean"] = summary.mean;
  return json;
}

Json to_json(const PopularityCurve& curve) {
  Json json;
  json["gini"] = curve.gini;
  for (size_t k = 0; k < curve.top_shares.size(); ++k)
    json["top_shares"][fmt::format("{:.0f}%", 100 * PopularityCurve::kTops[k])] =
        curve.top_shares[k];
  json["lorenz"] = curve.lorenz;
  return json;
}

}  // namespace

std::string statistics_json(const DatasetStatistics& statistics) {
  Json json;
  json["users"] = statistics.users;
  json["items"] = statistics.items;
  json["pairs"] = statistics.pairs;
  json["density"] = statistics.density;
  for (const auto& part : statistics.parts) json["parts"][part.name] = part.pairs;
  json["user_degrees"] = to_json(statistics.user_degrees);
  json["item_degrees"] = to_json(statistics.item_degrees);
  json["popularity"] = to_json(statistics.popularity);
  json["cold_users"] = statistics.cold_users;
  json["cold_items"] = statistics.cold_items;
  for (size_t k = 0; k < statistics.users_beyond_rank.size(); ++k)
    json["users_beyond_rank"][std::to_string(DatasetStatistics::kRanks[k])] =
        statistics.users_beyond_rank[k];
  json["leaks"]["count"] = statistics.leaks;
  json["leaks"]["examples"] = Json::array();
  for (const auto& leak : statistics.leak_examples)
    json["leaks"]["examples"].push_back(
        {{"user", leak.user}, {"item", leak.item}, {"parts", {leak.first, leak.second}}});
  return json_text(json);
}

}  // namespace divns
