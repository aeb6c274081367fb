// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace divns {

struct ScoredItem {
  uint32_t item;
  float score;
  bool operator==(const ScoredItem&) const = default;
};

// The k best of a stream of items that arrive in ascending order: score descending, ties to the
// lower item. A buffer of 2k takes every item above the threshold. When it is full, the worse part
// is dropped and the threshold rises. The comparison with the threshold is exact, because k items
// that are better, or equal and earlier, are already in the buffer.
class TopList {
 public:
  void start(uint32_t k) {
    k_ = k;
    size_ = 0;
    scores_.resize(std::max<size_t>(2 * size_t{k}, 32));
    items_.resize(scores_.size());
    threshold_ = best_ = -std::numeric_limits<float>::infinity();
  }

  // Scores up to this value cannot enter the list.
  float threshold() const { return threshold_; }

  // Adds the first items of the stream at once, which is faster than one by one. Minus infinity
  // marks items that are not ranked.
  void start_with(std::span<const uint32_t> items, std::span<const float> scores);

  void add(uint32_t item, float score) {
    scores_[size_] = score;
    items_[size_] = item;
    best_ = std::max(best_, score);
    if (++size_ == scores_.size()) shrink();
  }

  // Best first; fewer than k if fewer items came. Ends this list.
  void finish(std::vector<ScoredItem>& out);

 private:
  void shrink();
  bool cut_by_score();
  void keep_above(float cut, std::span<const uint32_t> items, std::span<const float> scores);
  void cut_exactly();

  uint32_t k_ = 0;
  size_t size_ = 0;
  float threshold_ = 0;
  float best_ = 0;  // approximately the best score so far: where to look for a cut
  std::vector<float> scores_;
  std::vector<uint32_t> items_;
  std::vector<uint64_t> keys_;
};

}  // namespace divns
