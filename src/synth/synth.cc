// SPDX-License-Identifier: Apache-2.0
#include "synth/synth.h"

#include <algorithm>
#include <numeric>

#include "data/apportion.h"
#include "divns/random.h"
#include "synth/choice.h"
#include "synth/world.h"

namespace divns {
namespace {

constexpr uint32_t kFirstSecond = 1'577'836'800;         // 2020-01-01
constexpr uint32_t kSeconds = 5U * 365U * 24U * 3'600U;  // all times are within five years

// Degrees follow a power law over the users in random order, starting at the minimum.
std::vector<uint64_t> draw_offsets(const SynthOptions& options) {
  auto activity = power_law(options.users, options.activity_exponent, options.activity_head);
  // The least active user has slightly more than the minimum, so that equal activities are
  // possible.
  const double least = 0.99 * activity.back();
  for (double& weight : activity) weight -= least;
  const auto degrees =
      apportion(options.pairs, options.minimum_degree, options.maximum_degree(), activity);

  std::vector<uint32_t> ranked(options.users);
  std::iota(ranked.begin(), ranked.end(), 0U);
  Draws draws = Random(options.seed, "synth.activity").draws();
  shuffle(draws, std::span(ranked));
  std::vector<uint64_t> offsets(options.users + 1);
  for (size_t rank = 0; rank < degrees.size(); ++rank) offsets[ranked[rank] + 1] = degrees[rank];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

// The times of a user's choices, ascending: evenly spread, with jitter, over the user's own period.
class Stay {
 public:
  Stay(Draws draws, size_t choices) : draws_(draws), choices_(static_cast<double>(choices)) {
    begin_ = draws_.uniform();
    length_ = (1 - begin_) * draws_.uniform();
  }
  uint32_t next() {
    const double step = (static_cast<double>(made_++) + draws_.uniform()) / choices_;
    return kFirstSecond + static_cast<uint32_t>((begin_ + length_ * step) * kSeconds);
  }

 private:
  Draws draws_;
  double choices_;
  double begin_;
  double length_;
  size_t made_ = 0;
};

struct DrawWorker {
  ChoiceSampler::Scratch scratch;
  std::vector<uint32_t> chosen;
  std::vector<std::pair<uint32_t, uint32_t>> row;  // item, time
};

}  // namespace

SynthData generate_synth(const SynthOptions& options, const Executor& executor) {
  options.check();
  SynthData data;
  data.truth = build_synth_truth(options, executor);
  data.offsets = draw_offsets(options);
  data.items.resize(options.pairs);
  data.times.resize(options.pairs);

  constexpr size_t kGrain = 64;
  const Random choices(options.seed, "synth.choices");
  const Random stays(options.seed, "synth.stays");
  const ChoiceSampler sampler(data.truth);
  std::vector<DrawWorker> workers(static_cast<size_t>(executor.threads()));
  executor.for_chunks_with_worker(options.users, kGrain, [&](int id, size_t begin, size_t end) {
    auto& [scratch, chosen, row] = workers[static_cast<size_t>(id)];
    for (auto user = static_cast<uint32_t>(begin); user < end; ++user) {
      const uint64_t first = data.offsets[user];
      chosen.resize(data.offsets[user + 1] - first);
      // A proposal costs about as much as four items of a race.
      const uint64_t attempts = 4 * chosen.size() + options.items / 4;
      sampler.choose(user, choices.draws(user), attempts, scratch, chosen);
      Stay stay(stays.draws(user), chosen.size());
      row.clear();
      for (const uint32_t item : chosen) row.emplace_back(item, stay.next());
      std::sort(row.begin(), row.end());
      for (size_t k = 0; k < row.size(); ++k) {
        data.items[first + k] = row[k].first;
        data.times[first + k] = row[k].second;
      }
    }
  });
  return data;
}

}  // namespace divns
