// SPDX-License-Identifier: Apache-2.0
#include "eval/top_list.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace divns {
namespace {

constexpr uint32_t kSign = 0x80000000U;

// One integer that orders as (score ascending, item descending). Adding 0 makes -0 equal to +0.
uint64_t key_of(uint32_t item, float score) {
  const auto bits = std::bit_cast<uint32_t>(score + 0.0F);
  const uint32_t ordered = (bits & kSign) != 0 ? ~bits : bits | kSign;
  return (uint64_t{ordered} << 32) | (~item);
}
uint32_t item_of(uint64_t key) {
  return ~static_cast<uint32_t>(key);
}
float score_of(uint64_t key) {
  const auto ordered = static_cast<uint32_t>(key >> 32);
  return std::bit_cast<float>((ordered & kSign) != 0 ? ordered ^ kSign : ~ordered);
}

uint32_t count_above(const float* scores, size_t n, float cut) {
  uint32_t count = 0;
  for (size_t i = 0; i < n; ++i) count += scores[i] > cut ? 1 : 0;
  return count;
}

}  // namespace

void TopList::shrink() {
  if (!cut_by_score()) cut_exactly();
}

// Any score with k items or more above it will do as the new threshold. Bisection finds one that
// has few more, in a handful of counts without a branch, many times quicker than selecting the
// k-th.
bool TopList::cut_by_score() {
  const size_t most = k_ + k_ / 4;
  float low = threshold_;
  float high = best_;
  if (std::isinf(low)) low = *std::min_element(scores_.data(), scores_.data() + size_);
  for (int step = 0; step < 12; ++step) {
    const float cut = low + (high - low) * 0.5F;
    const uint32_t above = count_above(scores_.data(), size_, cut);
    if (above < k_) {
      high = cut;
    } else if (above > most) {
      low = cut;
    } else {
      size_t kept = 0;
      for (size_t i = 0; i < size_; ++i) {
        scores_[kept] = scores_[i];
        items_[kept] = items_[i];
        kept += scores_[i] > cut ? 1U : 0U;
      }
      size_ = kept;
      threshold_ = cut;
      return true;
    }
  }
  return false;
}

// With many equal scores no cut between scores leaves about k: order them fully.
void TopList::cut_exactly() {
  keys_.clear();
  for (size_t i = 0; i < size_; ++i) keys_.push_back(key_of(items_[i], scores_[i]));
  std::nth_element(keys_.begin(), keys_.begin() + (k_ - 1), keys_.end(), std::greater<>());
  threshold_ = score_of(keys_[k_ - 1]);
  size_ = k_;
  for (size_t i = 0; i < size_; ++i) {
    scores_[i] = score_of(keys_[i]);
    items_[i] = item_of(keys_[i]);
  }
}

void TopList::finish(std::vector<ScoredItem>& out) {
  if (size_ > k_ + k_ / 4) cut_by_score();
  keys_.clear();
  for (size_t i = 0; i < size_; ++i) keys_.push_back(key_of(items_[i], scores_[i]));
  std::sort(keys_.begin(), keys_.end(), std::greater<>());
  out.clear();
  for (size_t i = 0; i < std::min<size_t>(k_, keys_.size()); ++i)
    out.push_back({item_of(keys_[i]), score_of(keys_[i])});
}

}  // namespace divns
