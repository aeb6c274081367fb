// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/scratch.h"
#include "base/spill_file.h"
#include "divns/interactions.h"

namespace divns {

// Owns what an Interactions looks at.
struct Rows {
  std::vector<uint64_t> offsets = {0};
  ScratchVector<uint32_t> items;

  uint32_t users() const { return static_cast<uint32_t>(offsets.size() - 1); }
  size_t pairs() const { return items.size(); }
  Interactions view(uint32_t item_count) const { return {offsets, items, item_count}; }
};

// The pairs of neighbouring users.
struct Slab {
  Rows rows;                     // row k is that of user first_user + k
  ScratchVector<int64_t> times;  // of each pair, or empty
  uint32_t first_user = 0;
  uint64_t first_pair = 0;  // number of pairs in the slabs before
};

// The pairs of all users in the order of (user, item), as slabs: in memory, or in a file from where
// one slab at a time is read. Every step of the preparation takes slab after slab, and what it
// computes does not depend on where the slabs end. In memory, a single slab has all pairs.
class SlabStore {
 public:
  SlabStore() = default;
  // With disk space, slabs go to a file.
  explicit SlabStore(ScratchSpace* disk) : disk_(disk) {
    if (disk != nullptr) file_.emplace(*disk);
  }

  // Adds the pairs of the next users. On disk, the vectors keep their memory for the next slab.
  void add(Rows&& rows, ScratchVector<int64_t>&& times = {});

  ScratchSpace* disk() const { return disk_; }
  size_t slabs() const { return on_disk_.empty() ? slabs_.size() : on_disk_.size(); }
  uint32_t users() const { return users_; }
  uint64_t pairs() const { return pairs_; }
  bool has_times() const { return has_times_; }

  // Slab k: the one in memory, or `buffer` after it was read.
  const Slab& read(size_t k, Slab& buffer) const;
  // body(slab) for each.
  template <class Body>
  void for_each(Body&& body) const {
    Slab buffer;
    for (size_t k = 0; k < slabs(); ++k) body(read(k, buffer));
  }
  // body(slab) for each, which may change the slab and drop pairs and users.
  template <class Body>
  void change(Body&& body) {
    SlabStore changed(disk_);
    Slab buffer;
    for (size_t k = 0; k < slabs(); ++k) {
      Slab& slab = fetch(k, buffer);
      body(slab);
      changed.add(std::move(slab.rows), std::move(slab.times));
    }
    *this = std::move(changed);
  }

 private:
  struct Stored {
    uint32_t first_user, users;
    uint64_t first_pair, pairs, offsets_at, items_at, times_at;
  };
  void load(const Stored& stored, Slab& slab) const;
  Slab& fetch(size_t k, Slab& buffer);

  ScratchSpace* disk_ = nullptr;
  std::optional<SpillFile> file_;
  std::vector<Slab> slabs_;
  std::vector<Stored> on_disk_;
  uint32_t users_ = 0;
  uint64_t pairs_ = 0;
  bool has_times_ = false;
};

}  // namespace divns
