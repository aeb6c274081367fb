// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <optional>

#include "base/check.h"
#include "base/parallel.h"
#include "divns/dpp.h"
#include "dpp/greedy.h"

namespace divns {

struct DppSelector::State {
  struct Worker {
    FeatureRows rows;
    GreedyScratch greedy;
    Picks picks;
  };

  DppConfig config;
  std::optional<Executor> own;
  const Executor* executor = nullptr;
  std::vector<Worker> workers;
  std::vector<uint32_t> order;  // sets, the most work first
  std::vector<uint64_t> starts;
};

DppSelector::DppSelector(const DppConfig& config, int threads) : state_(std::make_unique<State>()) {
  state_->config = config;
  state_->executor = &state_->own.emplace(threads);
  state_->workers.resize(static_cast<size_t>(state_->executor->threads()));
}

DppSelector::DppSelector(const DppConfig& config, const Executor& executor)
    : state_(std::make_unique<State>()) {
  state_->config = config;
  state_->executor = &executor;
  state_->workers.resize(static_cast<size_t>(executor.threads()));
}

DppSelector::~DppSelector() = default;
DppSelector::DppSelector(DppSelector&&) noexcept = default;
DppSelector& DppSelector::operator=(DppSelector&&) noexcept = default;

void DppSelector::select(const VectorTable& vectors, const DppSets& sets,
                         std::span<uint32_t> chosen, std::span<uint32_t> counts, uint64_t seed,
                         uint32_t epoch) {
  (void)seed;
  (void)epoch;
  State& state = *state_;
  const size_t n = sets.count();
  const auto candidates_of = [&](size_t s) {
    return sets.candidates.subspan(sets.candidate_offsets[s],
                                   sets.candidate_offsets[s + 1] - sets.candidate_offsets[s]);
  };
  const auto against_of = [&](size_t s) {
    if (sets.against_offsets.empty()) return std::span<const uint32_t>();
    return sets.against.subspan(sets.against_offsets[s],
                                sets.against_offsets[s + 1] - sets.against_offsets[s]);
  };
  state.starts.resize(n);
  std::exclusive_scan(sets.sizes.begin(), sets.sizes.end(), state.starts.begin(), uint64_t{0});
  // The largest sets go first, so that none is left for the end; small ones go in company.
  state.order.resize(n);
  std::iota(state.order.begin(), state.order.end(), 0U);
  std::stable_sort(state.order.begin(), state.order.end(), [&](uint32_t a, uint32_t b) {
    return candidates_of(a).size() > candidates_of(b).size();
  });
  state.executor->for_chunks_with_worker(n, 16, [&](int worker, size_t begin, size_t end) {
    State::Worker& mine = state.workers[static_cast<size_t>(worker)];
    for (size_t i = begin; i < end; ++i) {
      const uint32_t s = state.order[i];
      const auto ids = candidates_of(s);
      mine.rows.pack_against(vectors, ids, against_of(s));
      greedy(mine.rows, sets.sizes[s], state.config, mine.greedy, mine.picks);
      counts[s] = static_cast<uint32_t>(mine.picks.size());
      for (size_t t = 0; t < mine.picks.size(); ++t)
        chosen[state.starts[s] + t] = ids[mine.picks.rows[t]];
    }
  });
}

}  // namespace divns
