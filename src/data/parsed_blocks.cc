// SPDX-License-Identifier: Apache-2.0
#include "data/parsed_blocks.h"

#include <algorithm>
#include <tuple>

#include "divns/aligned.h"

namespace divns {
namespace {

constexpr size_t kFirstPiece = size_t{4} << 20;  // of a thread's memory; later ones are larger

}  // namespace

ParsedBlocks::ParsedBlocks(ScratchSpace& disk, int threads) : disk_(disk), file_(disk) {
  for (int thread = 0; thread < threads; ++thread)
    memory_.emplace_back(kFirstPiece, &aligned_resource());
}

void ParsedBlocks::add(int worker, const PairBlock& block, size_t file, uint64_t index) {
  pairs_ += block.size();
  {
    const std::shared_lock lock(mutex_);
    if (!on_disk()) {
      Entry entry{file, index, block.size(), {}, {}};
      entry.block = block.settled(&memory_[static_cast<size_t>(worker)]);
      const std::lock_guard entries_lock(entries_mutex_);
      entries_.push_back(std::move(entry));
      return;
    }
  }
  const std::unique_lock lock(mutex_);
  entries_.push_back({file, index, block.size(), {}, block.stored(file_)});
}

void ParsedBlocks::spill() {
  const std::unique_lock lock(mutex_);
  if (on_disk()) return;
  for (Entry& entry : entries_) {
    entry.stored = entry.block->stored(file_);
    entry.block.reset();
  }
  for (auto& memory : memory_) memory.release();
  on_disk_ = true;
}

void ParsedBlocks::arrange() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.file, a.index) < std::tie(b.file, b.index);
  });
}

PairBlock& ParsedBlocks::read(size_t k, PairBlock& buffer) {
  Entry& entry = entries_[k];
  if (entry.block) return *entry.block;
  buffer.load(entry.stored, file_);
  return buffer;
}

void ParsedBlocks::clear() {
  entries_.clear();
  for (auto& memory : memory_) memory.release();
  file_ = SpillFile(disk_);
}

}  // namespace divns
