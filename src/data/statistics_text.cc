// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "divns/statistics.h"

namespace divns {
namespace {

// 1234567 as 1,234,567, whatever the locale.
std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string degree_row(const char* name, const DegreeSummary& summary) {
  std::string row = fmt::format("{:<14}", name);
  for (const uint64_t degree : summary.quantiles) row += fmt::format("{:>8}", grouped(degree));
  return row + fmt::format("{:>10.1f}\n", summary.mean);
}

std::string degree_header() {
  std::string row = fmt::format("{:<14}", "degrees");
  for (const double quantile : DegreeSummary::kQuantiles)
    row += fmt::format("{:>8}", quantile == 0   ? "min"
                                : quantile == 1 ? "max"
                                                : fmt::format("{:.0f} %", 100 * quantile));
  return row + fmt::format("{:>10}\n", "mean");
}

// Popularity of each twentieth of the items, from the least popular to the most, against the last.
std::string sparkline(const PopularityCurve& curve) {
  static constexpr std::array<const char*, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::array<double, PopularityCurve::kPoints> shares{};
  std::adjacent_difference(curve.lorenz.begin(), curve.lorenz.end(), shares.begin());
  std::string line;
  for (const double share : shares) {
    const double height = shares.back() > 0 ? share / shares.back() : 0;
    line += kBlocks[std::min<size_t>(7, static_cast<size_t>(8 * std::max(height, 0.0)))];
  }
  return line;
}

std::string top_rows(const PopularityCurve& curve) {
  std::string header = fmt::format("{:<14}", "top items");
  std::string row = fmt::format("{:<14}", "  hold");
  for (size_t k = 0; k < curve.top_shares.size(); ++k) {
    header += fmt::format("{:>6.0f} %", 100 * PopularityCurve::kTops[k]);
    row += fmt::format("{:>6.1f} %", 100 * curve.top_shares[k]);
  }
  return header + '\n' + row + "  of pairs\n";
}

// Where a k-DPP with as many dimensions passes its rank.
std::string rank_rows(const DatasetStatistics& statistics) {
  std::string header = fmt::format("{:<14}", "more than");
  std::string row = fmt::format("{:<14}", "  have");
  for (size_t k = 0; k < statistics.users_beyond_rank.size(); ++k) {
    header += fmt::format("{:>8}", DatasetStatistics::kRanks[k]);
    row += fmt::format("{:>8}", grouped(statistics.users_beyond_rank[k]));
  }
  return fmt::format("{}  pairs in {}\n{}  users\n", header, statistics.parts.front().name, row);
}

}  // namespace

std::string statistics_text(const DatasetStatistics& statistics) {
  std::string text;
  const auto line = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{:<14}{}\n", name, value);
  };
  std::string parts;
  for (const auto& part : statistics.parts)
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", part.name, grouped(part.pairs));
  line("users", fmt::format("{:>12}", grouped(statistics.users)));
  line("items", fmt::format("{:>12}", grouped(statistics.items)));
  line("pairs", fmt::format("{:>12}   {}", grouped(statistics.pairs), parts));
  line("density", fmt::format("{:>12}", fmt::format("{:.4g} %", 100 * statistics.density)));
  text += '\n';
  text += degree_header();
  text += degree_row("  of users", statistics.user_degrees);
  text += degree_row("  of items", statistics.item_degrees);
  text += '\n';
  line("popularity", fmt::format("{}  Gini {:.3f}", sparkline(statistics.popularity),
                                 statistics.popularity.gini));
  text += top_rows(statistics.popularity);
  text += '\n';
  text += rank_rows(statistics);
  line("cold",
       fmt::format("users {}, items {}: without a pair in {}", grouped(statistics.cold_users),
                   grouped(statistics.cold_items), statistics.parts.front().name));
  if (statistics.leaks == 0) {
    line("leaks", "no pair is in two parts");
  } else {
    line("leaks", fmt::format("pairs that an earlier part holds too: {}, such as",
                              grouped(statistics.leaks)));
    for (const auto& leak : statistics.leak_examples)
      line("", fmt::format("user {}, item {} in {} and {}", leak.user, leak.item, leak.first,
                           leak.second));
  }
  return text;
}

}  // namespace divns
