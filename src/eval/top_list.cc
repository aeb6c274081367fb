// SPDX-License-Identifier: Apache-2.0
#include "eval/top_list.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>

#include "kernels/count_above.h"

namespace divns {
namespace {

constexpr uint32_t kSign = 0x80000000U;

// One integer that orders by (score ascending, item descending). Adding 0 makes -0 equal to +0.
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

// Any score that at least k items exceed can serve as a threshold. Bisection between two scores
// finds one with few more items, using a few branch-free counts, which is much faster than
// selecting the k-th score. With many equal scores there may be none.
std::optional<float> find_cut(std::span<const float> scores, float low, float high, uint32_t k) {
  for (int step = 0; step < 12; ++step) {
    const float cut = low + (high - low) * 0.5F;
    const uint32_t above = count_above(scores, cut);
    if (above < k) {
      high = cut;
    } else if (above > k + k / 4) {
      low = cut;
    } else {
      return cut;
    }
  }
  return std::nullopt;
}

}  // namespace

void TopList::start_with(std::span<const uint32_t> items, std::span<const float> scores) {
  if (scores.size() > scores_.size()) {
    // Initial bounds of the cut: a small sample of scores is enough.
    float low = std::numeric_limits<float>::infinity();
    for (size_t i = 0; i < scores.size(); i += 8) {
      if (scores[i] > threshold_) low = std::min(low, scores[i]);
      best_ = std::max(best_, scores[i]);
    }
    if (const std::optional<float> cut = find_cut(scores, low, best_, k_))
      return keep_above(*cut, items, scores);
  }
  for (size_t i = 0; i < scores.size(); ++i)
    if (scores[i] > threshold_) add(items[i], scores[i]);
}

// The kept items are known to fit; source and destination may be the same.
void TopList::keep_above(float cut, std::span<const uint32_t> items,
                         std::span<const float> scores) {
  size_t kept = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    const float score = scores[i];
    scores_[kept] = score;
    items_[kept] = items[i];
    kept += score > cut ? 1U : 0U;
  }
  size_ = kept;
  threshold_ = cut;
}

void TopList::shrink() {
  if (!cut_by_score()) cut_exactly();
}

bool TopList::cut_by_score() {
  const std::span<const float> scores(scores_.data(), size_);
  const float low =
      std::isinf(threshold_) ? *std::min_element(scores.begin(), scores.end()) : threshold_;
  const std::optional<float> cut = find_cut(scores, low, best_, k_);
  if (cut) keep_above(*cut, std::span(items_).first(size_), scores);
  return cut.has_value();
}

// With many equal scores no cut between scores leaves about k items: sort them fully.
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
