// SPDX-License-Identifier: Apache-2.0
#include "divns/dpp.h"

#include <cmath>
#include <numeric>

#include "base/check.h"
#include "divns/options.h"
#include "dpp/exact.h"
#include "dpp/greedy.h"

namespace divns {
namespace {

std::vector<uint32_t> all_rows(const VectorTable& vectors) {
  std::vector<uint32_t> ids(vectors.rows);
  std::iota(ids.begin(), ids.end(), 0U);
  return ids;
}

void check_input(const VectorTable& vectors, std::span<const double> quality,
                 const DppConfig& config) {
  if (!quality.empty() && quality.size() != vectors.rows)
    fail("{} qualities were given for {} vectors; expected one for each.", quality.size(),
         vectors.rows);
  for (size_t i = 0; i < quality.size(); ++i)
    if (!(quality[i] >= 0) || std::isinf(quality[i]))
      fail("the quality of row {} is {}; expected a finite number of at least 0.", i, quality[i]);
  if (!(config.jitter > 0) && config.rank_policy == RankPolicy::kJitter)
    fail(
        "the jitter is {}; expected a number above 0 (or the rank policy 'stop' or 'rounds', "
        "which need none).",
        config.jitter);
}

DppSelection to_selection(const Picks& picks) {
  DppSelection selection;
  selection.items.assign(picks.rows.begin(), picks.rows.end());
  selection.gains.assign(picks.gains.begin(), picks.gains.end());
  for (const double gain : picks.gains) selection.log_det += std::log(gain);
  return selection;
}

}  // namespace

void DppConfig::declare(Options& options) {
  options.add_choice("method", method,
                     {{"greedy", DppMethod::kGreedy}, {"exact", DppMethod::kExact}},
                     "greedy: approximate the most likely set; exact: draw a random set");
  options.add("jitter", jitter, "value added to the diagonal of the kernel").above(0);
  options.add_choice("rank_policy", rank_policy,
                     {{"jitter", RankPolicy::kJitter},
                      {"rounds", RankPolicy::kRounds},
                      {"stop", RankPolicy::kStop}},
                     "what to do when k exceeds the rank of the kernel: continue with the jitter, "
                     "start again with the remaining items, or return fewer items");
  options.add_choice("algorithm", algorithm,
                     {{"auto", DppAlgorithm::kAuto},
                      {"updates", DppAlgorithm::kUpdates},
                      {"lazy", DppAlgorithm::kLazy},
                      {"cholesky", DppAlgorithm::kCholesky}},
                     "greedy algorithm; all of them choose the same items");
  options.add("normalize", normalize, "scale every vector to unit length first");
}

std::vector<double> dpp_penalty(const VectorTable& vectors, const VectorTable& against) {
  if (against.rows > 0 && against.dim != vectors.dim)
    fail("the vectors have {} columns, those to keep away from have {}; expected the same number.",
         vectors.dim, against.dim);
  FeatureRows rows;
  const std::vector<uint32_t> ids = all_rows(vectors), hard = all_rows(against);
  rows.pack_against(vectors, ids, against, hard, true);
  return {rows.quality().begin(), rows.quality().end()};
}

DppSelection dpp_greedy(const VectorTable& vectors, std::span<const double> quality, size_t k,
                        const DppConfig& config) {
  check_input(vectors, quality, config);
  FeatureRows rows;
  rows.pack(vectors, all_rows(vectors), quality, config.normalize);
  GreedyScratch scratch;
  Picks picks;
  greedy(rows, k, config, scratch, picks);
  return to_selection(picks);
}

DppSelection dpp_exact(const VectorTable& vectors, std::span<const double> quality, size_t k,
                       uint64_t seed, const DppConfig& config) {
  check_input(vectors, quality, config);
  FeatureRows rows;
  rows.pack(vectors, all_rows(vectors), quality, config.normalize);
  GreedyScratch scratch;
  Picks picks;
  Draws draws = Random(seed, "dpp.exact").draws();
  exact(rows, k, config, draws, scratch, picks);
  return to_selection(picks);
}

}  // namespace divns
