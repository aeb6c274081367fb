// SPDX-License-Identifier: Apache-2.0
#include "synth/choice.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/portable_math.h"

namespace divns {
namespace {

std::vector<double> masses_of_clusters(const SynthTruth& truth) {
  std::vector<double> masses(truth.cluster_gains.size());
  for (uint32_t item = 0; item < truth.items(); ++item)
    masses[truth.item_clusters[item]] += truth.popularity[item];
  return masses;
}

}  // namespace

ChoiceSampler::ChoiceSampler(const SynthTruth& truth)
    : truth_(truth), cluster_masses_(masses_of_clusters(truth)), cluster_table_(cluster_masses_) {
  item_at_.resize(truth.items());
  std::iota(item_at_.begin(), item_at_.end(), 0U);
  std::stable_sort(item_at_.begin(), item_at_.end(), [&](uint32_t a, uint32_t b) {
    return truth.item_clusters[a] < truth.item_clusters[b];
  });
  vectors_.reserve(truth.item_vectors.size());
  std::vector<double> popularity;
  for (uint32_t place = 0; place < truth.items(); ++place) {
    const uint32_t item = item_at_[place];
    const uint32_t cluster = truth.item_clusters[item];
    const auto vector = truth.vector_of(item);
    vectors_.insert(vectors_.end(), vector.begin(), vector.end());
    if (popularity.empty()) cluster_begins_.push_back(place);
    popularity.push_back(truth.popularity[item]);
    if (place + 1 == truth.items() || truth.item_clusters[item_at_[place + 1]] != cluster) {
      item_tables_.emplace_back(popularity);
      popularity.clear();
    }
  }
  DIVNS_ASSERT(item_tables_.size() == cluster_masses_.size());  // no cluster is empty
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
  // cluster. r_u(i) is smaller by the factor a_t(i) only.
  const auto favourites = truth_.favourites_of(user);
  const auto weights = truth_.taste_weights_of(user);
  auto& masses = scratch.proposal_masses;
  masses.clear();
  double total = truth_.background;
  for (size_t t = 0; t < favourites.size(); ++t) {
    const uint32_t cluster = truth_.item_clusters[favourites[t]];
    masses.push_back((1 - truth_.background) * weights[t] * truth_.cluster_gains[cluster] *
                     cluster_masses_[cluster]);
    total += masses.back();
  }

  size_t done = 0;
  for (; done < out.size() && attempts > 0; --attempts) {
    double where = draws.uniform() * total;
    size_t taste = 0;
    while (taste < masses.size() && where >= masses[taste]) where -= masses[taste++];
    uint32_t place = 0;
    if (taste == masses.size()) {
      place = draw_place(cluster_table_.draw(draws), draws);
    } else {
      const uint32_t favourite = favourites[taste];
      place = draw_place(truth_.item_clusters[favourite], draws);
      if (draws.uniform() >= closeness(vector_at(place), truth_.vector_of(favourite))) continue;
    }
    const uint32_t item = item_at_[place];
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
      times.emplace_back(-portable::log(1 - draws.uniform()) / scratch.rates[item], item);
  const auto end = times.begin() + static_cast<ptrdiff_t>(out.size());
  std::partial_sort(times.begin(), end, times.end());
  for (size_t k = 0; k < out.size(); ++k) out[k] = times[k].second;
}

}  // namespace divns
