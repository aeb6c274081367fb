// SPDX-License-Identifier: Apache-2.0
#include "train/rows_read.h"

#include "numerics/unit_rows.h"

namespace divns {
namespace {

constexpr size_t kUnitRowsPerChunk = 256;

}  // namespace

RowsRead::RowsRead(const ObjectiveOptions& objective, uint32_t users, uint32_t items, uint32_t dim,
                   const Executor& executor)
    : executor_(executor),
      scales_users_(objective.scales_users()),
      scales_items_(objective.scales_items()),
      users_(users),
      items_(items) {
  if (scales_users_) unit_users_ = Table(users, dim);
  if (scales_items_) unit_items_ = Table(items, dim);
}

void RowsRead::gather(const Batch& batch) {
  item_keys_.assign(batch.positives.begin(), batch.positives.end());
  if (!wanted_.all_items)
    item_keys_.insert(item_keys_.end(), wanted_.items.begin(), wanted_.items.end());
  executor_.run(2, [&](int, size_t side) {
    if (side == 0)
      users_.group(batch.users);
    else
      items_.group(item_keys_);
  });
}

void RowsRead::gather_all() {
  wanted_.all_users = wanted_.all_items = true;
}

void RowsRead::refresh(const VectorTable& from, const RowSelection& rows, Table& unit) const {
  const size_t count = rows.all ? from.rows : rows.rows.size();
  executor_.for_chunks(count, kUnitRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
      const auto row = rows.all ? static_cast<uint32_t>(j) : rows.rows[j];
      unit_row(from.row(row), unit.row(row), from.stride);
    }
  });
}

void RowsRead::refresh(const EmbeddingView& model) {
  if (scales_users_) refresh(model.users, selected_users(), unit_users_);
  if (scales_items_) refresh(model.items, selected_items(), unit_items_);
}

EmbeddingView RowsRead::scoring_view(EmbeddingView model) const {
  if (scales_users_) model.users = unit_users_.view();
  if (scales_items_) model.items = unit_items_.view();
  return model;
}

}  // namespace divns
