// SPDX-License-Identifier: Apache-2.0
// From files of any known format to one list of distinct pairs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "data/byte_source.h"
#include "data/distinct_count.h"
#include "data/layout.h"
#include "data/memory_budget.h"
#include "data/pair_block.h"
#include "data/parsed_blocks.h"
#include "data/slab_store.h"
#include "divns/parallel.h"

namespace divns {

struct ReadRequest {
  LayoutRequest layout;
  Encoding encoding = Encoding::kAuto;
  PairFilter filter;
  bool keep_times = false;         // a file without times is refused
  bool keep_times_if_any = false;  // kept where every file has them
  MemoryBudget budget;             // pairs beyond it wait on disk
};

// Reads sources of pairs to their ends, then sorts and merges what they hold.
class PairReader {
 public:
  // Disk space is taken only for pairs beyond the memory limit. It must outlive the results.
  PairReader(ReadRequest request, ScratchSpace& disk, const Executor& executor);

  // Several files are read at the same time. All sources share one space of ids, and are numbered
  // in the order of the calls and paths. Of several errors, the first one in this order is thrown.
  void read(std::span<const std::string> paths);
  // Pairs in memory count as one more file.
  void read(const PairColumns& pairs);

  // Call once, after all files: the distinct pairs of each group of files; group_of_file[k] is that
  // of file k. Where a pair occurs several times in a group, the earliest time stays.
  struct Result {
    std::vector<SlabStore> groups;
    IdList user_ids;
    IdList item_ids;
  };
  Result finish(std::span<const size_t> group_of_file, size_t groups);

  struct Counts {
    std::atomic<uint64_t> pairs = 0;  // as they stand in the files, before any filter
    std::atomic<uint64_t> below_rating = 0;
    std::atomic<uint64_t> outside_time = 0;
  };
  const Counts& counts() const { return counts_; }
  // How each file was read, for the recipe.
  const std::vector<Layout>& layouts() const { return layouts_; }

 private:
  // The ids alone exceed the memory: from then on they are only counted, so that the refusal can
  // name the limit that is needed.
  struct Overflow {
    IdInterner::Size users, items;  // when it happened
    DistinctCount user_count, item_count;
  };
  Layout layout_of(const std::string& path, std::string_view head);
  void take(int worker, PairBlock& block, size_t file, uint64_t index);
  void keep_within_budget();
  void overflow();
  void refuse_overflow() const;
  uint64_t bytes_of_ids() const;

  ReadRequest request_;
  ScratchSpace& disk_;
  std::atomic<bool> keep_times_;
  const Executor& executor_;
  ParsedBlocks blocks_;
  std::vector<Layout> layouts_;
  std::shared_mutex ids_mutex_;  // held alone only to change to an overflow
  std::unique_ptr<IdInterner> user_interner_ = std::make_unique<IdInterner>();
  std::unique_ptr<IdInterner> item_interner_ = std::make_unique<IdInterner>();
  std::unique_ptr<Overflow> overflow_;
  Counts counts_;
};

}  // namespace divns
