// SPDX-License-Identifier: Apache-2.0
#include "synth/truth.h"

#include <algorithm>

#include "base/portable_math.h"

namespace divns {

double closeness(std::span<const float> x, std::span<const float> y) {
  float square = 0;
  for (size_t d = 0; d < x.size(); ++d) square += (x[d] - y[d]) * (x[d] - y[d]);
  return portable::exp(-0.5 * static_cast<double>(square));
}

double SynthTruth::preference(uint32_t user, uint32_t item) const {
  const uint32_t cluster = item_clusters[item];
  const auto loved = favourites_of(user);
  const auto weights = taste_weights_of(user);
  double taste = 0;
  for (size_t t = 0; t < loved.size(); ++t)
    if (item_clusters[loved[t]] == cluster)
      taste +=
          weights[t] * cluster_gains[cluster] * closeness(vector_of(item), vector_of(loved[t]));
  return popularity[item] * (background + (1 - background) * taste);
}

void SynthTruth::preferences(uint32_t user, std::span<double> out) const {
  for (uint32_t item = 0; item < out.size(); ++item) out[item] = preference(user, item);
}

double SynthTruth::affinity(uint32_t user, uint32_t item) const {
  double best = 0;
  for (const uint32_t favourite : favourites_of(user))
    if (item_clusters[favourite] == item_clusters[item])
      best = std::max(best, closeness(vector_of(item), vector_of(favourite)));
  return best;
}

}  // namespace divns
