// SPDX-License-Identifier: Apache-2.0
#include "blocks/block_store.h"

#include <algorithm>
#include <utility>

namespace divns {

BlockStore::BlockStore(std::vector<uint32_t> rows, uint32_t dim, size_t tables,
                       const std::filesystem::path& folder)
    : rows_(std::move(rows)), dim_(dim), tables_(tables), on_disk_(!folder.empty()) {
  if (!on_disk_) {
    resident_.resize(rows_.size());
    return;
  }
  starts_.assign(1, 0);
  for (size_t block = 0; block < rows_.size(); ++block)
    starts_.push_back(starts_.back() + tables_ * size_of_table(block));
  file_ = ScratchFile(folder, starts_.back() * sizeof(float));
}

size_t BlockStore::size_of_table(size_t block) const {
  return size_t{rows_[block]} * padded(dim_);
}

std::span<const std::byte> BlockStore::bytes_on_disk(size_t block) const {
  return std::span<const std::byte>(file_.bytes())
      .subspan(starts_[block] * sizeof(float),
               (starts_[block + 1] - starts_[block]) * sizeof(float));
}

RowState BlockStore::fresh(size_t block) const {
  RowState state;
  for (size_t table = 0; table < tables_; ++table)
    table_of(state, table) = Table(rows_[block], dim_);
  return state;
}

RowState BlockStore::take(size_t block) {
  if (!on_disk_) return std::exchange(resident_[block], {});
  if (last_ == block) {
    last_ = kNone;
    return std::exchange(last_state_, {});
  }
  write_last();
  RowState state = fresh(block);
  for (size_t table = 0; table < tables_; ++table)
    std::ranges::copy(floats_on_disk(block, table), table_of(state, table).data());
  count_moved(bytes_of(block));
  set_aside(block);
  return state;
}

void BlockStore::put(size_t block, RowState state) {
  if (!on_disk_) {
    resident_[block] = std::move(state);
    return;
  }
  write_last();
  last_ = block;
  last_state_ = std::move(state);
}

void BlockStore::write_last() {
  if (last_ == kNone) return;
  for (size_t table = 0; table < tables_; ++table)
    std::copy_n(table_of(last_state_, table).data(), size_of_table(last_),
                floats_on_disk(last_, table).data());
  count_moved(bytes_of(last_));
  set_aside(last_);
  last_ = kNone;
  last_state_ = {};
}

std::span<float> BlockStore::values(size_t block, size_t table) {
  if (!on_disk_) {
    Table& found = table_of(resident_[block], table);
    return {found.data(), found.size()};
  }
  if (last_ == block) write_last();
  return floats_on_disk(block, table);
}

std::span<float> BlockStore::floats_on_disk(size_t block, size_t table) const {
  auto* const floats = static_cast<float*>(static_cast<void*>(file_.bytes().data()));
  return {floats + starts_[block] + table * size_of_table(block), size_of_table(block)};
}

VectorTable BlockStore::view(size_t block) {
  return {values(block, 0).data(), rows_[block], dim_, padded(dim_)};
}

float* BlockStore::row(size_t block, size_t table, size_t index) {
  return values(block, table).data() + index * padded(dim_);
}

void BlockStore::read_ahead(size_t block) const {
  if (on_disk_) file_.read_ahead(bytes_on_disk(block));
}

void BlockStore::set_aside(size_t block) const {
  if (on_disk_) file_.set_aside(bytes_on_disk(block));
}

}  // namespace divns
