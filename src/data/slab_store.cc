// SPDX-License-Identifier: Apache-2.0
#include "data/slab_store.h"

#include <span>
#include <utility>

namespace divns {

void SlabStore::add(Rows&& rows, ScratchVector<int64_t>&& times) {
  const uint32_t users = rows.users();
  const uint64_t pairs = rows.pairs();
  has_times_ = has_times_ || !times.empty();
  if (file_) {
    const auto append = [&](const auto& values) {
      return file_->append(std::as_bytes(std::span(values)));
    };
    on_disk_.push_back(
        {users_, users, pairs_, pairs, append(rows.offsets), append(rows.items), append(times)});
  } else {
    slabs_.push_back({std::move(rows), std::move(times), users_, pairs_});
  }
  users_ += users;
  pairs_ += pairs;
}

void SlabStore::load(const Stored& stored, Slab& slab) const {
  slab.first_user = stored.first_user;
  slab.first_pair = stored.first_pair;
  slab.rows.offsets.resize(size_t{stored.users} + 1);
  slab.rows.items.resize(stored.pairs);
  slab.times.resize(has_times_ ? stored.pairs : 0);
  file_->read(stored.offsets_at, std::as_writable_bytes(std::span(slab.rows.offsets)));
  file_->read(stored.items_at, std::as_writable_bytes(std::span(slab.rows.items)));
  file_->read(stored.times_at, std::as_writable_bytes(std::span(slab.times)));
}

const Slab& SlabStore::read(size_t k, Slab& buffer) const {
  if (!file_) return slabs_[k];
  load(on_disk_[k], buffer);
  return buffer;
}

Slab& SlabStore::fetch(size_t k, Slab& buffer) {
  if (!file_) return slabs_[k];
  load(on_disk_[k], buffer);
  return buffer;
}

}  // namespace divns
