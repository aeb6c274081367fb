// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "divns/sampler.h"
#include "divns/train.h"
#include "numerics/set_diversity.h"
#include "train/scored_batch.h"

namespace divns {

// What is known about the preferences of users beyond the training pairs. Never the test part.
struct KnownLikes {
  std::optional<Interactions> valid;
  // Known for synthetic data only.
  std::function<bool(uint32_t user, uint32_t item)> likes;
};

// Computes a NegativeReport for a fixed sample of users. The sample is the same for every seed, so
// that reports of different runs can be compared.
class NegativeStatistics {
 public:
  // `sample`: number of users; all users who have negatives, if there are fewer.
  NegativeStatistics(const Interactions& train, uint32_t sample, uint32_t dim);

  void set_known(KnownLikes known) { known_ = std::move(known); }
  // Call after the batch was scored.
  void add(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
           const ScoredBatch& scored);
  // The same for negatives that are single items, the same number for every row.
  void add(const Batch& batch, std::span<const uint32_t> items, const EmbeddingView& view);
  // The same for shared negatives: a few of them for each row, in turn.
  void add(const Batch& batch, const SharedNegatives& shared, const EmbeddingView& view);
  // Empty if the sample is empty.
  std::optional<NegativeReport> end_epoch();

 private:
  void add_items(uint32_t user, uint32_t positive, std::span<const Term> terms,
                 const EmbeddingView& view);

  static constexpr uint32_t kNotWatched = UINT32_MAX;
  Interactions train_;
  std::vector<uint32_t> place_of_user_;
  std::vector<uint32_t> item_pairs_;
  SetDiversity diversity_;
  SetDiversity item_diversity_;
  KnownLikes known_;

  // Sums of the epoch so far.
  std::vector<std::pair<uint32_t, uint32_t>> drawn_;  // (index of the user in the sample, item)
  double weight_ = 0;
  double popularity_ = 0;
  double false_negatives_ = 0;
  double valid_positives_ = 0;
};

}  // namespace divns
