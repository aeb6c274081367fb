// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "base/spill_file.h"
#include "data/pair_block.h"

namespace divns {

// The pairs of all blocks of text until the last one is parsed: in memory, and from spill() on in a
// file. Filled by many threads.
class ParsedBlocks {
 public:
  ParsedBlocks(ScratchSpace& disk, int threads);

  // A copy of the block is kept. (file, index) is its place in the input.
  void add(int worker, const PairBlock& block, size_t file, uint64_t index);
  // Moves all blocks to the disk, where later ones go, too.
  void spill();
  bool on_disk() const { return on_disk_.load(); }
  uint64_t pairs() const { return pairs_.load(); }

  // After the last block: brings the blocks into the order of the input.
  void arrange();
  size_t size() const { return entries_.size(); }
  size_t file(size_t k) const { return entries_[k].file; }
  uint64_t pairs(size_t k) const { return entries_[k].pairs; }
  // Block k: the one in memory, or `buffer` after it was read.
  PairBlock& read(size_t k, PairBlock& buffer);
  void clear();

 private:
  struct Entry {
    size_t file;
    uint64_t index;
    uint64_t pairs;
    std::optional<PairBlock> block;  // in memory
    PairBlock::Stored stored;        // on disk
  };

  ScratchSpace& disk_;
  std::shared_mutex mutex_;
  std::mutex entries_mutex_;
  // Where blocks in memory are, one for each thread: they grow by large pieces and go all at once.
  std::deque<std::pmr::monotonic_buffer_resource> memory_;
  std::vector<Entry> entries_;
  std::atomic<bool> on_disk_ = false;
  std::atomic<uint64_t> pairs_ = 0;
  SpillFile file_;
};

}  // namespace divns
