// SPDX-License-Identifier: Apache-2.0
// The true preferences of the users of a synthetic dataset.
//
// Items have vectors x_i in clusters of unequal size and spread, and a popularity w_i > 0 with sum
// 1. The unit of length is the width of a taste. A user has a few tastes t, each given by a
// favourite item f_t and a weight pi_t, sum pi_t = 1. Let c(i) be the cluster of item i. Then
//
//   affinity of taste t     a_t(i) = exp(-|x_i - x_{f_t}|^2 / 2) if c(i) = c(f_t), else 0
//   preference              r_u(i) = w_i * (background + (1 - background) *
//                                           sum_t pi_t * gain_{c(f_t)} * a_t(i))
//   gain of a cluster       1 / (sum_{i in c} w_i * E[a]),  E[a] = (1 + 2 spread_c^2)^(-dim/2)
//
// The gain makes the mass of a taste pi_t on average for every cluster. E[a] is the mean affinity
// of two points of a Gaussian cluster. So over all users, items are chosen approximately in
// proportion to w_i.
//
// Distribution of the pairs: a user of degree n chooses n distinct items one after another, each
// time among those not yet chosen with probability proportional to r_u(i) (the Plackett-Luce model;
// equivalently, the n smallest of independent exponential times with rates r_u(i)).
//
// A user *likes* an item if some affinity a_t(i) is at least `liked_level`. This depends on taste,
// not on popularity, which models exposure. A liked item that is not among the user's pairs is a
// false negative.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/files.h"

namespace divns {

// exp(-|x - y|^2 / 2).
double closeness(std::span<const float> x, std::span<const float> y);

struct SynthTruth {
  uint32_t latent_dim = 0;
  double background = 0;
  double liked_level = 0;

  std::vector<double> cluster_spreads;
  std::vector<double> cluster_gains;

  std::vector<float> item_vectors;  // items x latent_dim
  std::vector<uint32_t> item_clusters;
  std::vector<double> popularity;

  std::vector<uint64_t> taste_offsets;  // users + 1
  std::vector<uint32_t> favourites;     // one per taste
  std::vector<double> taste_weights;    // one per taste

  uint32_t users() const { return static_cast<uint32_t>(taste_offsets.size() - 1); }
  uint32_t items() const { return static_cast<uint32_t>(item_clusters.size()); }
  std::span<const float> vector_of(uint32_t item) const {
    return std::span(item_vectors).subspan(size_t{item} * latent_dim, latent_dim);
  }
  std::span<const uint32_t> favourites_of(uint32_t user) const {
    return std::span(favourites).subspan(taste_offsets[user], taste_count(user));
  }
  std::span<const double> taste_weights_of(uint32_t user) const {
    return std::span(taste_weights).subspan(taste_offsets[user], taste_count(user));
  }

  // r_u(i) as defined above. Sums to about 1 over the items.
  double preference(uint32_t user, uint32_t item) const;
  // r_u(i) for every item. p_u(i), the probability to be chosen first, is r_u(i) divided by the
  // sum.
  void preferences(uint32_t user, std::span<double> out) const;
  // max_t a_t(i): 0 for items outside the user's tastes, 1 for a favourite.
  double affinity(uint32_t user, uint32_t item) const;
  bool likes(uint32_t user, uint32_t item) const { return affinity(user, item) >= liked_level; }

 private:
  size_t taste_count(uint32_t user) const { return taste_offsets[user + 1] - taste_offsets[user]; }
};

// File name in the folder of a dataset.
inline constexpr const char* kTruthFileName = "truth.bin";

// One file with sizes, a version and a checksum. Reading throws Error if it is incomplete or
// inconsistent.
void write_synth_truth(AtomicFile file, const SynthTruth& truth);
SynthTruth read_synth_truth(const std::filesystem::path& path);

}  // namespace divns
