// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "divns/dpp.h"
#include "divns/parallel.h"
#include "dpp/exact.h"
#include "dpp/greedy.h"

namespace divns {

namespace {
constexpr size_t kSetsPerChunk = 16;
}  // namespace

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
  std::vector<uint32_t> order;  // sets in descending order of work
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

namespace {

// One list of compressed rows, with its bounds checked, because callers' offsets are used as
// addresses.
class Lists {
 public:
  Lists(std::span<const uint64_t> offsets, std::span<const uint32_t> values, size_t count,
        uint32_t limit, const char* name)
      : offsets_(offsets), values_(values) {
    if (offsets.size() != count + 1)
      fail("the {} offsets have {} entries; expected one more than the {} sets.", name,
           offsets.size(), count);
    if (!std::is_sorted(offsets.begin(), offsets.end()) || offsets.back() > values.size())
      fail("the {} offsets must ascend and end within the {} ids given.", name, values.size());
    for (const uint32_t id : values)
      if (id >= limit)
        fail("the {} ids hold {}; expected ids below the number of vectors, {}.", name, id, limit);
  }
  std::span<const uint32_t> operator[](size_t s) const {
    return values_.subspan(offsets_[s], offsets_[s + 1] - offsets_[s]);
  }

 private:
  std::span<const uint64_t> offsets_;
  std::span<const uint32_t> values_;
};

}  // namespace

void DppSelector::select(const VectorTable& vectors, const DppSets& sets,
                         std::span<uint32_t> chosen, std::span<uint32_t> counts, uint64_t seed,
                         uint32_t epoch) {
  State& state = *state_;
  const DppConfig& config = state.config;
  const size_t n = sets.count();
  const Lists candidates(sets.candidate_offsets, sets.candidates, n, vectors.rows, "candidate");
  const bool penalised = !sets.against_offsets.empty();
  if (penalised) Lists(sets.against_offsets, sets.against, n, vectors.rows, "against");
  state.starts.resize(n);
  std::exclusive_scan(sets.sizes.begin(), sets.sizes.end(), state.starts.begin(), uint64_t{0});
  if (counts.size() != n || (n > 0 && state.starts.back() + sets.sizes.back() > chosen.size()))
    fail(
        "there is room for {} counts and {} chosen items; expected a count for each of the {} "
        "sets and as many items as their sizes add up to.",
        counts.size(), chosen.size(), n);

  // The largest sets come first, so that no thread is left with one at the end.
  state.order.resize(n);
  std::iota(state.order.begin(), state.order.end(), 0U);
  std::sort(state.order.begin(), state.order.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(candidates[b].size(), a) < std::pair(candidates[a].size(), b);
  });
  const Random random(seed, "dpp.select");
  state.executor->for_chunks_with_worker(n, kSetsPerChunk, [&](int w, size_t begin, size_t end) {
    State::Worker& worker = state.workers[static_cast<size_t>(w)];
    for (size_t i = begin; i < end; ++i) {
      const uint32_t s = state.order[i];
      const auto ids = candidates[s];
      counts[s] = 0;
      if (sets.sizes[s] == 0 || ids.empty()) continue;
      if (penalised) {
        const auto against = sets.against.subspan(
            sets.against_offsets[s], sets.against_offsets[s + 1] - sets.against_offsets[s]);
        worker.rows.pack_against(vectors, ids, vectors, against, config.normalize,
                                 config.largest_quality);
      } else {
        worker.rows.pack(vectors, ids, {}, config.normalize);
      }
      if (config.method == DppMethod::kGreedy) {
        greedy(worker.rows, sets.sizes[s], config, worker.greedy, worker.picks);
      } else {
        Draws draws = random.draws(epoch, s);
        exact(worker.rows, sets.sizes[s], config, draws, worker.greedy, worker.picks);
      }
      counts[s] = static_cast<uint32_t>(worker.picks.size());
      for (size_t t = 0; t < worker.picks.size(); ++t)
        chosen[state.starts[s] + t] = ids[worker.picks.rows[t]];
    }
  });
}

}  // namespace divns
