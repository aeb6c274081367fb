// SPDX-License-Identifier: Apache-2.0
#include "data/synth_choice.h"

#include <algorithm>
#include <cmath>

namespace divns {
namespace {

std::vector<std::vector<uint32_t>> members_of_clusters(const SynthTruth& truth) {
  std::vector<std::vector<uint32_t>> members(truth.cluster_gains.size());
  for (uint32_t item = 0; item < truth.items(); ++item)
    members[truth.item_clusters[item]].push_back(item);
  return members;
}

std::vector<double> popularity_of(const SynthTruth& truth, std::span<const uint32_t> items) {
  std::vector<double> weights;
  weights.reserve(items.size());
  for (const uint32_t item : items) weights.push_back(truth.popularity[item]);
  return weights;
}

std::vector<double> masses_of_clusters(const SynthTruth& truth) {
  std::vector<double> masses(truth.cluster_gains.size());
  for (uint32_t item = 0; item < truth.items(); ++item)
    masses[truth.item_clusters[item]] += truth.popularity[item];
  return masses;
}

}  // namespace

ChoiceSampler::ChoiceSampler(const SynthTruth& truth)
    : truth_(truth),
      members_(members_of_clusters(truth)),
      masses_(masses_of_clusters(truth)),
      cluster_table_(masses_) {
  item_tables_.reserve(members_.size());
  for (const auto& items : members_) item_tables_.emplace_back(popularity_of(truth, items));
}

void ChoiceSampler::choose(uint32_t user, Draws draws, uint64_t attempts, Scratch& scratch,
                           std::span<uint32_t> out) const {
  scratch.chosen_in.resize(truth_.items());
  ++scratch.call;
  const size_t done = choose_by_rejection(user, draws, attempts, scratch, out);
  if (done < out.size()) choose_by_race(user, draws, scratch, out.subspan(done));
}

size_t ChoiceSampler::choose_by_rejection(uint32_t user, Draws& draws, uint64_t attempts,
                                          Scratch& scratch, std::span<uint32_t> out) const {
  // Proposals have mass w_i * background and w_i * (1 - background) * pi_t * gain within a taste's
  // cluster, which r_u(i) stays below by the factor a_t(i) alone.
  const auto favourites = truth_.favourites_of(user);
  const auto weights = truth_.taste_weights_of(user);
  auto& masses = scratch.proposal_masses;
  masses.clear();
  double total = truth_.background;
  for (size_t t = 0; t < favourites.size(); ++t) {
    const uint32_t cluster = truth_.item_clusters[favourites[t]];
    masses.push_back((1 - truth_.background) * weights[t] * truth_.cluster_gains[cluster] *
                     masses_[cluster]);
    total += masses.back();
  }

  size_t done = 0;
  for (; done < out.size() && attempts > 0; --attempts) {
    double where = draws.uniform() * total;
    size_t taste = 0;
    while (taste < masses.size() && where >= masses[taste]) where -= masses[taste++];
    uint32_t item = 0;
    if (taste == masses.size()) {
      item = draw_from(cluster_table_.draw(draws), draws);
    } else {
      const uint32_t favourite = favourites[taste];
      item = draw_from(truth_.item_clusters[favourite], draws);
      if (draws.uniform() >= truth_.closeness(item, favourite)) continue;
    }
    if (scratch.chosen_in[item] == scratch.call) continue;
    scratch.chosen_in[item] = scratch.call;
    out[done++] = item;
  }
  return done;
}

void ChoiceSampler::choose_by_race(uint32_t user, Draws& draws, Scratch& scratch,
                                   std::span<uint32_t> out) const {
  scratch.rates.resize(truth_.items());
  truth_.preferences(user, scratch.rates);
  auto& times = scratch.times;
  times.clear();
  for (uint32_t item = 0; item < truth_.items(); ++item)
    if (scratch.chosen_in[item] != scratch.call)
      times.emplace_back(-std::log(1 - draws.uniform()) / scratch.rates[item], item);
  const auto end = times.begin() + static_cast<ptrdiff_t>(out.size());
  std::partial_sort(times.begin(), end, times.end());
  for (size_t k = 0; k < out.size(); ++k) out[k] = times[k].second;
}

}  // namespace divns
