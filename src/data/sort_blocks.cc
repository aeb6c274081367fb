// SPDX-License-Identifier: Apache-2.0
#include "data/sort_blocks.h"

#include <optional>
#include <utility>

#include "data/sort_pairs.h"
#include "data/sorted_run.h"

namespace divns {
namespace {

class BlockSorter {
 public:
  BlockSorter(ParsedBlocks& blocks, const SortRequest& request, ScratchSpace& disk,
              const Executor& executor)
      : blocks_(blocks), request_(request), disk_(disk), executor_(executor) {}

  std::vector<SlabStore> in_memory() {
    std::vector<SlabStore> stores(request_.groups);
    for (size_t group = 0; group < stores.size(); ++group) {
      SortedPairs sorted = sort(blocks_of(group));
      stores[group].add(std::move(sorted.rows), std::move(sorted.times));
    }
    blocks_.clear();
    return stores;
  }

  std::vector<SlabStore> on_disk(const std::function<void(uint64_t)>& too_many) {
    std::vector<uint64_t> degrees(request_.user_count);
    std::vector<std::vector<SortedRun>> runs;
    for (size_t group = 0; group < request_.groups; ++group)
      runs.push_back(make_runs(group, degrees));
    blocks_.clear();
    const std::vector<uint32_t> ranges = ranges_of(degrees, too_many);
    for (auto& of_group : runs)
      for (SortedRun& run : of_group) run.divide(ranges);
    std::vector<SlabStore> stores;
    for (auto& of_group : runs) {
      stores.push_back(gather(of_group, ranges));
      of_group.clear();
    }
    return stores;
  }

 private:
  std::vector<size_t> blocks_of(size_t group) const {
    std::vector<size_t> found;
    for (size_t k = 0; k < blocks_.size(); ++k)
      if (request_.groups == 1 || request_.group_of_file[blocks_.file(k)] == group)
        found.push_back(k);
    return found;
  }

  SortedPairs sort(std::span<const size_t> numbers) {
    std::vector<std::optional<PairBlock>> buffers(numbers.size());
    std::vector<UnsortedPairs> pairs(numbers.size());
    executor_.run(numbers.size(), [&](int, size_t k) {
      buffers[k].emplace(PairFilter(), request_.timed);
      PairBlock& block = blocks_.read(numbers[k], *buffers[k]);
      request_.users.renumber(block.users);
      request_.items.renumber(block.items);
      pairs[k] = {block.users.codes(), block.users.counts(), block.items.codes(),
                  request_.timed ? std::span(block.times) : std::span<const int64_t>()};
    });
    return sort_pairs(pairs, request_.user_count, request_.item_count, executor_);
  }

  std::vector<SortedRun> make_runs(size_t group, std::span<uint64_t> degrees) {
    const std::vector<size_t> numbers = blocks_of(group);
    std::vector<SortedRun> runs;
    for (size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
      uint64_t pairs = 0;
      for (end = begin; end < numbers.size(); ++end) {
        pairs += blocks_.pairs(numbers[end]);
        if (end > begin && pairs > request_.pairs_at_once) break;
      }
      runs.emplace_back(disk_, sort(std::span(numbers).subspan(begin, end - begin)), degrees);
    }
    return runs;
  }

  // The first users of ranges that have as many pairs as fit into memory.
  std::vector<uint32_t> ranges_of(std::span<const uint64_t> degrees,
                                  const std::function<void(uint64_t)>& too_many) const {
    std::vector<uint32_t> ranges = {0};
    uint64_t pairs = 0;
    for (uint32_t user = 0; user < degrees.size(); ++user) {
      if (degrees[user] > request_.pairs_at_once) too_many(degrees[user]);
      pairs += degrees[user];
      if (pairs <= request_.pairs_at_once || user == ranges.back()) continue;
      ranges.push_back(user);
      pairs = degrees[user];
    }
    return ranges;
  }

  SlabStore gather(std::span<const SortedRun> runs, std::span<const uint32_t> ranges) {
    SlabStore store(&disk_);
    for (size_t range = 0; range < ranges.size(); ++range) {
      const uint32_t first = ranges[range];
      const uint32_t last = range + 1 < ranges.size() ? ranges[range + 1] : request_.user_count;
      std::vector<SortedRun::Slice> slices(runs.size());
      std::vector<UnsortedPairs> pairs(runs.size());
      executor_.run(runs.size(), [&](int, size_t k) {
        slices[k] = runs[k].slice(range, first);
        pairs[k] = slices[k].view();
      });
      SortedPairs sorted = sort_pairs(pairs, last - first, request_.item_count, executor_);
      store.add(std::move(sorted.rows), std::move(sorted.times));
    }
    return store;
  }

  ParsedBlocks& blocks_;
  const SortRequest& request_;
  ScratchSpace& disk_;
  const Executor& executor_;
};

}  // namespace

std::vector<SlabStore> sort_blocks(ParsedBlocks& blocks, const SortRequest& request,
                                   ScratchSpace& disk,
                                   const std::function<void(uint64_t pairs)>& too_many,
                                   const Executor& executor) {
  blocks.arrange();
  BlockSorter sorter(blocks, request, disk, executor);
  return blocks.on_disk() ? sorter.on_disk(too_many) : sorter.in_memory();
}

}  // namespace divns
