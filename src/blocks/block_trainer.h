// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "blocks/block_store.h"
#include "blocks/item_parts.h"
#include "blocks/ranked_trainer.h"
#include "blocks/remembered_items.h"
#include "blocks/traveling_items.h"

namespace divns {

// Trains over a grid of U x I cells (option `blocks`). A cell holds the pairs of one user block and
// one item part, and is trained by a Trainer of its own on the rows of both. An epoch walks the
// grid in the order of BlockSchedule and divides the items anew. The cells of a round count the
// same steps of the optimizer: those with fewer batches are followed by steps without gradients. So
// the result depends on the options and the data, and neither on the number of ranks that share the
// work nor on where blocks are kept between their cells.
class BlockTrainer final : public RankedTrainer {
 public:
  explicit BlockTrainer(const BlockTraining& training);

  // Those of unit length where the training scores by cosine: their length does not matter.
  Vectors parameters() override { return {final_users_.view(0), final_items_.view(0)}; }

 private:
  struct CellReport;
  // Steps of the optimizer in a round.
  struct Steps {
    uint64_t before = 0;
    uint64_t count = 0;
  };

  void initialise_blocks();
  void drop_blocks_of_others();
  EpochReport epoch(const std::function<void(double)>& between_batches) override;
  std::vector<uint64_t> batches_of_cells();
  CellReport run_cell(uint32_t user_block, uint32_t part, const Steps& steps, PhaseSeconds& seconds,
                      const std::function<void(double)>& between_batches);
  void read_ahead(const BlockSchedule::Visit& visit) const;
  void idle(BlockStore& store, uint32_t block, const Steps& steps);
  void add_reports(const std::vector<CellReport>& mine, EpochReport& report);

  // block_results.cc
  void validate(EpochReport& report);
  void keep_best() override;
  void allocate_best();
  Table all_items(BlockStore& store, const ItemParts& parts, int root);
  Vectors assemble() override;

  // block_checkpoint.cc
  void collect(TensorWriter* out) override;
  void distribute(const TensorReader* in, size_t each) override;
  size_t remembered() const override { return remembered_.each(); }
  uint64_t bytes_moved() const override {
    return users_.bytes_moved() + items_.store().bytes_moved() + remembered_.bytes_moved();
  }
  template <class Visit>
  void for_saved_blocks(Visit&& visit);

  ItemParts parts_;  // of the last epoch; before the first: of epoch 0
  BlockStore users_;
  TravelingItems items_;
  RememberedItems remembered_;
  BlockStore best_users_;
  BlockStore best_items_;
  // What finish() has returned.
  BlockStore final_users_;
  BlockStore final_items_;
};

}  // namespace divns
