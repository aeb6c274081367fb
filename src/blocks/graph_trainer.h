// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "blocks/gradient_sum.h"
#include "blocks/ranked_trainer.h"
#include "models/user_blocks.h"
#include "train/batch_pass.h"
#include "train/optimizer.h"

namespace divns {

// Trains a graph model over user blocks (blocks = Ux1). Every rank has the rows of its own users
// and those of all items. A step takes a part of the batch from each block, batch_size / U pairs,
// with negatives from all items. The ranks propagate together (Graph), then each block computes its
// loss and its gradients with a BatchPass of its own, and the gradients by item vectors are added
// in the order of the blocks. So every rank makes the same step on its copy of the items.
//
// A block whose pairs are used up takes no part in the last steps of an epoch. With one block, the
// steps are those of a Trainer.
class GraphTrainer final : public RankedTrainer {
 public:
  explicit GraphTrainer(const BlockTraining& training);

  Vectors parameters() override;

 private:
  static constexpr size_t kUsers = 0;
  static constexpr size_t kItems = 1;

  // A user block of this rank.
  struct Block {
    uint32_t number;
    uint32_t first;  // user, numbered within the rank
    UserRows rows;
    std::unique_ptr<BatchPass> pass;
    VectorTable hop0;
    // Of the epoch.
    double loss = 0;
    double hardness = 0;
  };

  EpochReport epoch(const std::function<void(double)>& between_batches) override;
  void keep_best() override;
  Vectors assemble() override;
  void validate(EpochReport& report);
  template <class RowsOf>
  void gather_users(Table& out, RowsOf&& rows_of);

  void start_blocks();
  void initialise_rows();
  uint64_t rows_in_step(uint32_t block, size_t step) const;
  EmbeddingView view_of(Block& block) const;
  void forward_for(std::span<Block* const> active);
  void run_step(size_t step, EpochReport& report);
  void add_reports(EpochReport& report);

  // graph_checkpoint.cc
  void collect(TensorWriter* out) override;
  void distribute(const TensorReader* in, size_t each) override;
  size_t remembered() const override;
  template <class Visit>
  void for_saved_tables(Visit&& visit);
  std::span<float> rows_of_block(Table& table, uint32_t number);

  TrainConfig block_config_;  // that of a block: its batches are parts of a batch
  UserRange mine_;
  UserRows rows_;
  std::vector<uint32_t> item_degrees_;
  UserBlocks user_blocks_;
  std::vector<Block> blocks_;
  std::unique_ptr<Model> model_;
  std::optional<Optimizer> optimizer_;
  std::vector<uint64_t> pairs_in_epoch_;  // of every block of every rank
  GradientSum user_sum_;
  GradientSum item_sum_;
  Grouping items_read_;
  std::vector<uint32_t> users_read_;
  Table best_users_;
  Table best_items_;
  Table final_users_;       // on rank 0: of all ranks
  Table final_parameters_;  // of users, likewise
};

}  // namespace divns
