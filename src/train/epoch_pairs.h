// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "divns/interactions.h"
#include "samplers/sampler.h"
#include "train/config.h"

namespace divns {

// The training pairs in the order of an epoch, cut into batches. Pairs of users who own every item
// are left out, since no negative exists for them.
class EpochPairs {
 public:
  EpochPairs(const Interactions& train, const TrainConfig& config, const Executor& executor);

  void arrange(uint32_t epoch);
  // In an order from elsewhere: as many pairs as rows(), each a place in train.items.
  void arrange_as(uint32_t epoch, std::span<const uint64_t> pairs);
  size_t rows() const { return pairs_.size(); }
  size_t batches() const;
  Batch batch(size_t index) const;
  // All rows as one, for those who look ahead; a drop_last remainder is no part of it.
  Batch whole() const;

  uint32_t users_owning_everything() const { return full_users_; }
  size_t pairs_left_out() const { return train_.pairs() - usable_pairs_.size(); }

 private:
  void shuffle_pairs(uint32_t epoch);
  void draw_user_uniform(uint32_t epoch);
  void look_up_pairs(uint32_t epoch);
  Batch rows_from(size_t begin, size_t size) const;

  Interactions train_;
  const Executor& executor_;
  Random random_;
  PairOrder order_;
  size_t batch_size_;
  bool drop_last_;
  uint32_t epoch_ = 0;
  uint32_t full_users_ = 0;
  std::vector<uint32_t> usable_users_;
  std::vector<uint64_t> usable_pairs_;
  std::vector<uint32_t> pair_user_;  // of every pair of train
  // The epoch's rows.
  std::vector<uint64_t> pairs_;
  std::vector<uint32_t> users_;
  std::vector<uint32_t> items_;
};

}  // namespace divns
