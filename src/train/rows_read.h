// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "divns/parallel.h"
#include "divns/sampler.h"
#include "divns/table.h"
#include "models/model.h"
#include "train/grouping.h"
#include "train/row_math.h"

namespace divns {

// The rows that a batch and its sampler read, each listed once, and the vectors that score them:
// the model's own, or unit vectors where the similarity is the cosine.
class RowsRead {
 public:
  RowsRead(const ObjectiveOptions& objective, uint32_t users, uint32_t items, uint32_t dim,
           const Executor& executor);

  // What the sampler of the next batch adds to; empty after clear().
  RowsToRead& wanted() { return wanted_; }
  // Lists the rows of the batch and those in wanted().
  void gather(const Batch& batch);
  void gather_all();

  bool are_all() const { return wanted_.all_items || wanted_.all_users; }
  const Grouping& users() const { return users_; }
  const Grouping& items() const { return items_; }
  RowSelection selected_users() const { return {wanted_.all_users, users_.rows()}; }
  RowSelection selected_items() const { return {wanted_.all_items, items_.rows()}; }

  // After the model has computed these rows: forms their unit vectors, where they are needed.
  void refresh(const EmbeddingView& model);
  EmbeddingView scoring_view(EmbeddingView model) const;

 private:
  void refresh(const VectorTable& from, const RowSelection& rows, Table& unit) const;

  const Executor& executor_;
  bool scales_users_;
  bool scales_items_;
  RowsToRead wanted_;
  std::vector<uint32_t> item_keys_;
  Grouping users_;
  Grouping items_;
  Table unit_users_;  // for cosines
  Table unit_items_;  // for cosines and unit_items
};

}  // namespace divns
