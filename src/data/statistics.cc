// SPDX-License-Identifier: Apache-2.0
#include "divns/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace divns {
namespace {

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

std::vector<uint64_t> count_by_user(std::span<const DatasetPart> parts) {
  std::vector<uint64_t> degrees(parts.front().interactions.users());
  for (const DatasetPart& part : parts)
    for (uint32_t user = 0; user < degrees.size(); ++user)
      degrees[user] += part.interactions.row(user).size();
  return degrees;
}

std::vector<uint64_t> count_by_item(const Interactions& rows, const Executor& executor) {
  constexpr size_t kChunk = size_t{1} << 21;  // large, since every chunk has counts of its own
  using Counts = std::vector<uint64_t>;
  using ChunkCounts = std::vector<uint32_t>;  // half the cache of what they are added to
  std::vector<ChunkCounts> chunks((rows.pairs() + kChunk - 1) / kChunk);
  executor.for_chunks(rows.pairs(), kChunk, [&](size_t begin, size_t end) {
    ChunkCounts counts(rows.item_count);
    for (size_t i = begin; i < end; ++i) ++counts[rows.items[i]];
    chunks[begin / kChunk] = std::move(counts);
  });
  Counts total(rows.item_count);
  for (const ChunkCounts& counts : chunks)
    for (size_t i = 0; i < total.size(); ++i) total[i] += counts[i];
  return total;
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

uint64_t zeros(std::span<const uint64_t> degrees) {
  return static_cast<uint64_t>(std::count(degrees.begin(), degrees.end(), uint64_t{0}));
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

// Pairs of `later` that `earlier` holds, too: both rows ascend, so one walk finds what they share.
void find_leaks(const DatasetPart& earlier, const DatasetPart& later, const Executor& executor,
                std::vector<DatasetStatistics::Leak>& leaks) {
  using Leaks = std::vector<DatasetStatistics::Leak>;
  constexpr size_t kUsersPerChunk = 4096;
  leaks = executor.map_reduce(
      later.interactions.users(), kUsersPerChunk, std::move(leaks),
      [&](size_t begin, size_t end) {
        Leaks found;
        for (auto user = static_cast<uint32_t>(begin); user < end; ++user) {
          const auto known = earlier.interactions.row(user);
          auto at = known.begin();
          for (const uint32_t item : later.interactions.row(user)) {
            while (at != known.end() && *at < item) ++at;
            if (at != known.end() && *at == item)
              found.push_back({user, item, earlier.name, later.name});
          }
        }
        return found;
      },
      [](Leaks a, const Leaks& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
      });
}

}  // namespace

DatasetStatistics compute_statistics(std::span<const DatasetPart> parts, const Executor& executor,
                                     Overlap overlap) {
  DIVNS_ASSERT(!parts.empty());
  const Interactions& train = parts.front().interactions;
  DatasetStatistics out;
  out.users = train.users();
  out.items = train.item_count;
  for (const DatasetPart& part : parts) {
    DIVNS_ASSERT(part.interactions.users() == out.users);
    DIVNS_ASSERT(part.interactions.item_count == out.items);
    out.parts.push_back({part.name, part.interactions.pairs()});
    out.pairs += part.interactions.pairs();
  }
  out.density = ratio(static_cast<double>(out.pairs),
                      static_cast<double>(out.users) * static_cast<double>(out.items));

  const std::vector<uint64_t> train_degrees = count_by_user(parts.first(1));
  out.cold_users = zeros(train_degrees);
  std::vector<uint64_t> item_degrees = count_by_item(train, executor);
  out.cold_items = zeros(item_degrees);
  for (size_t k = 0; k < out.users_beyond_rank.size(); ++k)
    out.users_beyond_rank[k] = static_cast<uint64_t>(
        std::count_if(train_degrees.begin(), train_degrees.end(),
                      [&](uint64_t degree) { return degree > DatasetStatistics::kRanks[k]; }));

  std::vector<uint64_t> user_degrees = count_by_user(parts);
  for (const DatasetPart& part : parts.subspan(1)) {
    const std::vector<uint64_t> more = count_by_item(part.interactions, executor);
    for (size_t i = 0; i < more.size(); ++i) item_degrees[i] += more[i];
  }
  sort_degrees(user_degrees);
  sort_degrees(item_degrees);
  out.user_degrees = summarise(user_degrees);
  out.item_degrees = summarise(item_degrees);
  out.popularity = popularity_curve(item_degrees);
  if (overlap == Overlap::kImpossible) return out;
  std::vector<DatasetStatistics::Leak> leaks;
  for (size_t later = 1; later < parts.size(); ++later)
    for (size_t earlier = 0; earlier < later; ++earlier)
      find_leaks(parts[earlier], parts[later], executor, leaks);
  out.leaks = leaks.size();
  leaks.resize(std::min(leaks.size(), DatasetStatistics::kLeakExamples));
  out.leak_examples = std::move(leaks);
  return out;
}

}  // namespace divns
