// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/random.h"
#include "divns/sampler.h"
#include "samplers/replay.h"
#include "train/config.h"

namespace divns {

// The training pairs in the order of an epoch, divided into batches. Pairs of users who have every
// item are left out, since no negative exists for them.
class EpochPairs {
 public:
  // A replay, if there is one, decides the order of the pairs.
  EpochPairs(const Interactions& train, const TrainConfig& config, const Executor& executor,
             const Replay* replay = nullptr);

  void arrange(uint32_t epoch);
  size_t rows() const { return pairs_.size(); }
  size_t batches() const;
  Batch batch(size_t index) const;
  // All rows of the epoch as one batch, without those that drop_last skips.
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
  const Replay* replay_;
  Random random_;
  PairOrder order_;
  size_t batch_size_;
  bool drop_last_;
  uint32_t epoch_ = 0;
  uint32_t full_users_ = 0;
  std::vector<uint32_t> usable_users_;
  std::vector<uint64_t> usable_pairs_;
  std::vector<uint32_t> pair_user_;  // of every pair of train
  // The rows of the epoch.
  std::vector<uint64_t> pairs_;
  std::vector<uint32_t> users_;
  std::vector<uint32_t> items_;
};

}  // namespace divns
