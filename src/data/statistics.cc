// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "data/part_degrees.h"

namespace divns {
namespace {

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

// Most degrees are small, and counting those is quicker than comparing them.
void sort_degrees(std::vector<uint64_t>& degrees) {
  constexpr uint64_t kSmall = 4096;
  const auto large =
      std::partition(degrees.begin(), degrees.end(), [](uint64_t d) { return d < kSmall; });
  std::sort(large, degrees.end());
  std::array<size_t, kSmall> counts{};
  for (auto at = degrees.begin(); at != large; ++at) ++counts[*at];
  auto at = degrees.begin();
  for (uint64_t degree = 0; degree < kSmall; ++degree) {
    const auto end = at + static_cast<ptrdiff_t>(counts[degree]);
    std::fill(at, end, degree);
    at = end;
  }
}

uint64_t total(std::span<const uint64_t> degrees) {
  return std::accumulate(degrees.begin(), degrees.end(), uint64_t{0});
}

uint64_t zeros(std::span<const uint32_t> degrees) {
  return static_cast<uint64_t>(std::count(degrees.begin(), degrees.end(), 0U));
}

DegreeSummary summarise(std::span<const uint64_t> ascending) {
  DegreeSummary summary;
  if (ascending.empty()) return summary;
  const auto n = static_cast<double>(ascending.size());
  for (size_t k = 0; k < summary.quantiles.size(); ++k) {
    const double rank = std::ceil(DegreeSummary::kQuantiles[k] * n);
    summary.quantiles[k] = ascending[static_cast<size_t>(std::max(rank, 1.0)) - 1];
  }
  summary.mean = static_cast<double>(total(ascending)) / n;
  return summary;
}

PopularityCurve popularity_curve(std::span<const uint64_t> ascending) {
  PopularityCurve curve;
  const size_t n = ascending.size();
  std::vector<double> running(n + 1);  // pairs on the k least popular items
  double weighted = 0;
  for (size_t k = 0; k < n; ++k) {
    running[k + 1] = running[k] + static_cast<double>(ascending[k]);
    weighted += static_cast<double>(k + 1) * static_cast<double>(ascending[k]);
  }
  const auto count = static_cast<double>(n);
  const double sum = running[n];
  if (sum == 0) return curve;

  // G = sum_k (2k - n - 1) x_k / (n sum_k x_k), x ascending, k from 1
  curve.gini = (2 * weighted - (count + 1) * sum) / (count * sum);
  for (size_t k = 0; k < curve.top_shares.size(); ++k) {
    const auto top = static_cast<size_t>(std::ceil(PopularityCurve::kTops[k] * count));
    curve.top_shares[k] = (sum - running[n - top]) / sum;
  }
  for (size_t k = 0; k < curve.lorenz.size(); ++k) {
    const double at = static_cast<double>(k + 1) * count / PopularityCurve::kPoints;
    const size_t below = std::min(static_cast<size_t>(at), n - 1);
    const double between = at - static_cast<double>(below);
    curve.lorenz[k] = std::lerp(running[below], running[below + 1], between) / sum;
  }
  return curve;
}

}  // namespace

void PartDegrees::add(const Interactions& rows, const Executor& executor) {
  constexpr size_t kChunk = size_t{1} << 21;  // large, since every thread has counts of its own
  for (uint32_t user = 0; user < rows.users(); ++user)
    users.push_back(static_cast<uint32_t>(rows.row(user).size()));
  items.resize(rows.item_count);
  pairs += rows.pairs();
  std::vector<std::vector<uint32_t>> counts(
      rows.pairs() > kChunk ? static_cast<size_t>(executor.threads()) : 0);
  executor.for_chunks_with_worker(rows.pairs(), kChunk, [&](int worker, size_t begin, size_t end) {
    std::vector<uint32_t>& mine = counts.empty() ? items : counts[static_cast<size_t>(worker)];
    mine.resize(rows.item_count);
    for (size_t i = begin; i < end; ++i) ++mine[rows.items[i]];
  });
  for (const auto& of_worker : counts)
    for (size_t i = 0; i < of_worker.size(); ++i) items[i] += of_worker[i];
}

// Both rows ascend, so one walk finds what they share.
void SharedPairs::add(const Interactions& earlier, const Interactions& later, uint32_t first_user,
                      const Executor& executor) {
  constexpr size_t kUsersPerChunk = 4096;
  SharedPairs found = executor.map_reduce(
      later.users(), kUsersPerChunk, SharedPairs(),
      [&](size_t begin, size_t end) {
        SharedPairs chunk;
        for (auto user = static_cast<uint32_t>(begin); user < end; ++user) {
          const auto known = earlier.row(user);
          auto at = known.begin();
          for (const uint32_t item : later.row(user)) {
            while (at != known.end() && *at < item) ++at;
            if (at != known.end() && *at == item) chunk.add_one(first_user + user, item);
          }
        }
        return chunk;
      },
      [](SharedPairs a, const SharedPairs& b) {
        a.append(b);
        return a;
      });
  append(found);
}

void SharedPairs::add_one(uint32_t user, uint32_t item) {
  ++count;
  if (examples.size() < DatasetStatistics::kLeakExamples) examples.emplace_back(user, item);
}

void SharedPairs::append(const SharedPairs& more) {
  count += more.count - more.examples.size();
  for (const auto& [user, item] : more.examples) add_one(user, item);
}

DatasetStatistics statistics_of(std::span<const PartDegrees> parts,
                                std::span<const Leakage> leakages) {
  DIVNS_ASSERT(!parts.empty());
  const PartDegrees& train = parts.front();
  DatasetStatistics out;
  out.users = train.users.size();
  out.items = train.items.size();
  std::vector<uint64_t> user_degrees(out.users);
  std::vector<uint64_t> item_degrees(out.items);
  for (const PartDegrees& part : parts) {
    DIVNS_ASSERT(part.users.size() == out.users);
    DIVNS_ASSERT(part.items.size() == out.items);
    out.parts.push_back({part.name, part.pairs});
    out.pairs += part.pairs;
    for (size_t user = 0; user < out.users; ++user) user_degrees[user] += part.users[user];
    for (size_t item = 0; item < out.items; ++item) item_degrees[item] += part.items[item];
  }
  out.density = ratio(static_cast<double>(out.pairs),
                      static_cast<double>(out.users) * static_cast<double>(out.items));
  out.cold_users = zeros(train.users);
  out.cold_items = zeros(train.items);
  for (size_t k = 0; k < out.users_beyond_rank.size(); ++k)
    out.users_beyond_rank[k] = static_cast<uint64_t>(
        std::count_if(train.users.begin(), train.users.end(),
                      [&](uint32_t degree) { return degree > DatasetStatistics::kRanks[k]; }));
  sort_degrees(user_degrees);
  sort_degrees(item_degrees);
  out.user_degrees = summarise(user_degrees);
  out.item_degrees = summarise(item_degrees);
  out.popularity = popularity_curve(item_degrees);
  for (const Leakage& leakage : leakages) {
    out.leaks += leakage.pairs.count;
    for (const auto& [user, item] : leakage.pairs.examples)
      if (out.leak_examples.size() < DatasetStatistics::kLeakExamples)
        out.leak_examples.push_back({user, item, leakage.first, leakage.second});
  }
  return out;
}

DatasetStatistics compute_statistics(std::span<const DatasetPart> parts, const Executor& executor,
                                     Overlap overlap) {
  std::vector<PartDegrees> degrees;
  for (const DatasetPart& part : parts) {
    degrees.push_back({.name = part.name});
    degrees.back().add(part.interactions, executor);
  }
  std::vector<Leakage> leakages;
  for (size_t later = 1; later < parts.size() && overlap == Overlap::kPossible; ++later)
    for (size_t earlier = 0; earlier < later; ++earlier) {
      leakages.push_back({parts[earlier].name, parts[later].name, {}});
      leakages.back().pairs.add(parts[earlier].interactions, parts[later].interactions, 0,
                                executor);
    }
  return statistics_of(degrees, leakages);
}

}  // namespace divns
