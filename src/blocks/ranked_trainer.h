// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "blocks/cell.h"
#include "blocks/schedule.h"
#include "distributed/communicator.h"
#include "divns/interactions.h"
#include "divns/parallel.h"
#include "train/config.h"
#include "train/early_stopping.h"
#include "train/epoch_trainer.h"
#include "train/setup.h"

namespace divns {

// The validation metric of each of these users who has validation items; `vectors` are theirs.
using ValidateUsers = std::function<std::vector<float>(
    const UserRange& users, const VectorTable& vectors, const VectorTable& items)>;

// What a training over blocks is made of. All of it outlives the trainer.
struct BlockTraining {
  TrainConfig config;
  std::function<TrainerParts()> make_parts;  // new ones at every call
  Interactions train;
  ValidateUsers validate;  // empty: no validation
  const Executor& executor;
  Communicator& ranks;
  std::filesystem::path scratch;  // folder for the blocks; empty: they stay in memory
};

// A training whose user blocks are shared among ranks. Rank 0 calls the functions of EpochTrainer,
// then end(); the other ranks call follow() only.
class RankedTrainer : public EpochTrainer {
 public:
  EpochReport run_epoch(const std::function<void(double)>& between_batches) final;
  uint32_t epochs_done() const final { return epochs_done_; }
  bool finished() const final;
  const EarlyStopping& early_stopping() const final { return stopping_; }
  Vectors finish() final;
  void save(TensorWriter& out) final;
  void load(const TensorReader& in) final;
  // Whether an epoch was abandoned: the other ranks are still in it.
  bool in_epoch() const { return in_epoch_; }
  void end();

  void follow();

 protected:
  explicit RankedTrainer(const BlockTraining& training);

  // What the ranks do together. On other ranks than the first, `between_batches` is empty, the
  // files are null, and the vectors are not looked at. `each` is what remembered() was when the
  // file was written.
  virtual EpochReport epoch(const std::function<void(double)>& between_batches) = 0;
  virtual void collect(TensorWriter* out) = 0;
  virtual void distribute(const TensorReader* in, size_t each) = 0;
  virtual Vectors assemble() = 0;
  // Items that the sampler remembers per pair (Sampler::remembered_items).
  virtual size_t remembered() const = 0;
  // After an epoch with the best validation so far.
  virtual void keep_best() = 0;
  // Bytes of blocks on disk that this rank has read and written so far.
  virtual uint64_t bytes_moved() const { return 0; }

  bool leads() const { return ranks_.rank() == 0; }
  int owner_of(uint32_t user_block) const { return schedule_.rank_of_user_block(user_block); }
  bool is_mine(uint32_t user_block) const { return owner_of(user_block) == ranks_.rank(); }
  uint32_t user_blocks() const { return static_cast<uint32_t>(ranges_.size()); }
  size_t pairs_of(uint32_t user_block) const {
    const std::span<const uint64_t> offsets = training_.train.offsets;
    return offsets[ranges_[user_block].last] - offsets[ranges_[user_block].first];
  }
  // Users of the blocks of this rank, which are adjacent.
  UserRange users_of_rank() const;
  EpochReport new_report() const;
  // The mean of the metric over the users of all ranks; `mine` are the values of this rank.
  void add_validation(const std::vector<float>& mine, EpochReport& report);
  // Items that the sampler remembers for a block, from a checkpoint.
  void read_remembered(const TensorReader& in, uint32_t block, std::span<uint32_t> items) const;

  BlockTraining training_;
  const TrainConfig& config_;
  const Executor& executor_;
  Communicator& ranks_;
  std::vector<UserRange> ranges_;  // of the user blocks
  BlockSchedule schedule_;
  uint64_t steps_ = 0;  // of the optimizer; every row is current
  uint32_t epochs_done_ = 0;
  EarlyStopping stopping_;

 private:
  enum class Command : uint32_t { kEpoch, kSave, kLoad, kFinish, kEnd };
  struct SharedState;

  Command announce(Command command);
  EpochReport counted_epoch(const std::function<void(double)>& between_batches);
  void restore(const TensorReader* in);

  bool in_epoch_ = false;
};

// Cells, or user blocks, have unrelated random choices. One alone makes those of a training without
// blocks.
uint64_t cell_seed(const TrainConfig& config, uint32_t user_block, uint32_t part);

}  // namespace divns
