// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "synth/truth.h"

namespace divns::testing {

// One dimension, two clusters {0, 1, 2} at 0, 1, 2 and {3, 4} at 10, 10.5; one user who loves item
// 0 (weight 3/4) and item 4 (weight 1/4), another who loves item 1 alone.
inline SynthTruth small_truth() {
  SynthTruth truth;
  truth.latent_dim = 1;
  truth.background = 0.2;
  truth.liked_level = 0.5;
  truth.cluster_spreads = {1, 0.25};
  truth.cluster_gains = {2, 3};
  truth.item_vectors = {0, 1, 2, 10, 10.5F};
  truth.item_clusters = {0, 0, 0, 1, 1};
  truth.popularity = {0.1, 0.2, 0.3, 0.15, 0.25};
  truth.taste_offsets = {0, 2, 3};
  truth.favourites = {0, 4, 1};
  truth.taste_weights = {0.75, 0.25, 1};
  return truth;
}

}  // namespace divns::testing
