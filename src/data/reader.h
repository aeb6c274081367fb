// SPDX-License-Identifier: Apache-2.0
// From files of any known format to one list of distinct pairs.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <string>
#include <vector>

#include "data/byte_source.h"
#include "data/layout.h"
#include "data/pair_block.h"
#include "data/pair_list.h"
#include "divns/parallel.h"

namespace divns {

struct ReadRequest {
  LayoutRequest layout;
  Encoding encoding = Encoding::kAuto;
  PairFilter filter;
  bool keep_times = false;             // a file without times is refused
  bool keep_times_if_any = false;      // kept where every file has them
  uint64_t memory_limit = UINT64_MAX;  // bytes; refused with a sentence when the pairs need more
};

// Pairs in the order of the files, with provisional ids, before sorting and merging.
class PairReader {
 public:
  PairReader(ReadRequest request, const Executor& executor);

  // Reads a file to its end. May be called for several files; they share one space of ids. The
  // pairs of a file can be told apart by the number that this returns.
  size_t read(const std::string& path);
  // The same for pairs in memory, which count as one more file.
  size_t read(const PairColumns& pairs);

  // Call once, after all files: the distinct pairs of each file, or of all together. Where a pair
  // occurs several times, the earliest time stays. The ids are those of all files, so the lists
  // themselves carry none.
  struct Result {
    std::vector<PairList> files;
    std::vector<std::string> user_ids;
    std::vector<std::string> item_ids;
  };
  Result finish(bool merge_files);

  struct Counts {
    uint64_t lines = 0;
    uint64_t pairs = 0;  // as they stand in the files, before any filter
    uint64_t below_rating = 0;
    uint64_t outside_time = 0;
    uint64_t bytes = 0;
  };
  const Counts& counts() const { return counts_; }
  // How the first file was read, for the recipe.
  const std::vector<Layout>& layouts() const { return layouts_; }

 private:
  struct Parsed {
    PairBlock pairs;
    size_t file;
  };
  void take_block(PairBlock pairs, size_t file);
  uint64_t memory_for(uint64_t pairs) const;
  void check_memory() const;

  ReadRequest request_;
  bool keep_times_;
  const Executor& executor_;
  // Where the pairs are, one for each thread: they grow by large pieces and go all at once.
  std::deque<std::pmr::monotonic_buffer_resource> memory_;
  std::vector<Parsed> blocks_;
  std::vector<Layout> layouts_;
  IdInterner user_interner_;
  IdInterner item_interner_;
  Counts counts_;
};

}  // namespace divns
