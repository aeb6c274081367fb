// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/parallel.h"
#include "divns/sampler.h"
#include "train/grouping.h"

namespace divns {

// The next batch that reads each row, for an epoch whose reads are all known before it begins.
// Batches are counted from 0, and the end of the epoch counts as a read of every row.
class ReadPlan {
 public:
  ReadPlan(uint32_t users, uint32_t items, const Executor& executor)
      : executor_(executor), users_(users), items_(items) {}

  // The epoch as one batch, the number of rows of each of its batches except the last, and the
  // negatives, the same number for every row.
  void make(const Batch& epoch, size_t batch_size, std::span<const uint32_t> negatives);

  // The items that a batch reads: its positives, then its negatives.
  std::span<const uint32_t> item_keys(const Batch& batch) const;
  // The first batch that reads each row.
  std::span<const uint32_t> first_user_reads() const { return users_.next; }
  std::span<const uint32_t> first_item_reads() const { return items_.next; }
  // The next batch that reads each of the rows of a batch, grouped by user or by item_keys.
  void next_user_reads(const Batch& batch, const Grouping& groups,
                       std::vector<uint32_t>& out) const;
  void next_item_reads(const Batch& batch, const Grouping& groups,
                       std::vector<uint32_t>& out) const;

 private:
  struct Side {
    explicit Side(uint32_t rows) : next(rows) {}
    std::vector<uint32_t> next;   // of each row, from the start of the epoch
    std::vector<uint32_t> after;  // of each entry, from its own batch

    void scan(std::span<const uint32_t> keys, size_t batch_entries);
    void read(size_t first_entry, const Grouping& groups, std::vector<uint32_t>& out) const;
  };

  const Executor& executor_;
  size_t items_each_ = 1;  // entries per row of a batch: the positive and its negatives
  std::vector<uint32_t> item_keys_;
  Side users_;
  Side items_;
};

}  // namespace divns
