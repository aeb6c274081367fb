// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/set_diversity.h"
#include "samplers/sampler.h"
#include "train/scored_batch.h"

namespace divns {

// What is known beyond the training pairs about whom users like. Never the test part.
struct KnownLikes {
  std::optional<Interactions> valid;
  // The truth of synthetic data.
  std::function<bool(uint32_t user, uint32_t item)> likes;
};

// What a sampler drew in an epoch. Shares and means are over the items drawn, an item mixed into a
// negative counting by its weight; the positive of a row, where it is mixed in, does not count.
struct NegativeReport {
  // Distinct items over items drawn, mean over the users. None for samplers that make vectors
  // instead of naming items; nor are the next four.
  std::optional<double> distinct;
  std::optional<double> popularity;       // training pairs of an item
  std::optional<double> false_negatives;  // share that the user truly likes
  std::optional<double> valid_positives;  // share that are validation items of the user
  // Of the items' own vectors, before they are mixed (base/set_diversity.h), mean over the users.
  std::optional<double> item_diversity;
  // Of a user's negative vectors over the epoch, mean over the users.
  std::optional<double> diversity;

  // Those that are there, by name.
  std::vector<std::pair<std::string, double>> named() const;
};

// Gathers a NegativeReport on a fixed sample of users, the same for every seed, so that it costs
// little and compares between runs.
class NegativeStatistics {
 public:
  // All users who can be trained on where there are no more than `sample`; none for 0.
  NegativeStatistics(const Interactions& train, uint32_t sample, uint32_t dim);

  void set_known(KnownLikes known) { known_ = std::move(known); }
  // After the batch was scored.
  void add(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
           const ScoredBatch& scored);
  // The same where negatives are items, equally many a row.
  void add(const Batch& batch, std::span<const uint32_t> items, const EmbeddingView& view);
  // Nothing where no user is watched.
  std::optional<NegativeReport> end_epoch();

 private:
  void add_items(uint32_t user, uint32_t positive, std::span<const Term> terms,
                 const EmbeddingView& view);

  static constexpr uint32_t kNotWatched = UINT32_MAX;
  std::vector<uint32_t> place_of_user_;
  std::vector<uint32_t> item_pairs_;
  SetDiversity diversity_;
  SetDiversity item_diversity_;
  KnownLikes known_;

  // Of the epoch so far.
  std::vector<std::pair<uint32_t, uint32_t>> drawn_;  // place of the user, item
  double weight_ = 0;
  double popularity_ = 0;
  double false_negatives_ = 0;
  double valid_positives_ = 0;
};

}  // namespace divns
