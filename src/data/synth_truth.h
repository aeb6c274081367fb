// SPDX-License-Identifier: Apache-2.0
// What a synthetic dataset knows and a real one does not: whom every user truly prefers.
//
// Items have vectors x_i in clusters of unequal size and spread, and a popularity w_i > 0 with
// sum 1. The unit of length is the width of a taste. A user has a few tastes t, each a favourite
// item f_t with weight pi_t, sum pi_t = 1. Write c(i) for the cluster of an item. Then
//
//   affinity of taste t     a_t(i) = exp(-|x_i - x_{f_t}|^2 / 2) if c(i) = c(f_t), else 0
//   preference              r_u(i) = w_i * (background + (1 - background) *
//                                           sum_t pi_t * gain_{c(f_t)} * a_t(i))
//   gain of a cluster       1 / (sum_{i in c} w_i * E[a]),  E[a] = (1 + 2 spread_c^2)^(-dim/2)
//
// The gain makes a taste's mass pi_t on average, whatever the cluster; E[a] is the mean affinity of
// two points of a Gaussian cloud. Over all users, therefore, items are chosen about in proportion
// to w_i.
//
// THE LAW. A user of degree n chooses n distinct items one after another, each time among those not
// yet chosen with probability proportional to r_u(i) (Plackett and Luce; the same as the n smallest
// of independent exponential times with rates r_u(i)).
//
// A user *likes* an item where some affinity a_t(i) reaches `liked_level`: a matter of taste, not
// of popularity, which stands for being met at all. A liked item that is not among the user's
// pairs is a false negative.
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
  std::vector<uint32_t> favourites;     // one a taste
  std::vector<double> taste_weights;    // one a taste

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

  // r_u(i), of the law above. Sums to about 1 over the items.
  double preference(uint32_t user, uint32_t item) const;
  // r_u(i) for every item; p_u(i), the chance to be chosen first, is this over its sum.
  void preferences(uint32_t user, std::span<double> out) const;
  // max_t a_t(i), from 0 for what the user does not care for to 1 for a favourite.
  double affinity(uint32_t user, uint32_t item) const;
  bool likes(uint32_t user, uint32_t item) const { return affinity(user, item) >= liked_level; }

 private:
  size_t taste_count(uint32_t user) const { return taste_offsets[user + 1] - taste_offsets[user]; }
};

// Its name in the folder of a dataset.
inline constexpr const char* kTruthFileName = "truth.bin";

// One file with sizes, a version and a checksum; reading refuses whatever is not whole and
// consistent.
void write_synth_truth(const std::filesystem::path& path, const SynthTruth& truth,
                       Sync sync = Sync::kAtOnce);
SynthTruth read_synth_truth(const std::filesystem::path& path);

}  // namespace divns
