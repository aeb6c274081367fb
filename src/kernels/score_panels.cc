// SPDX-License-Identifier: Apache-2.0
#include "kernels/score_panels.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/score_panels.cc"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 32 items per panel, so that the hits of a row fit in a 32-bit mask.
using Tag = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Tag>;

uint32_t panel_width() {
  return static_cast<uint32_t>(2 * hn::Lanes(Tag()));
}

// Bit i of the result is set if the score of item i is above the threshold.
HWY_INLINE uint32_t bits_above(Tag tag, Vec low, Vec high, Vec threshold) {
  uint8_t bytes[8] = {};
  uint32_t low_bits = 0;
  uint32_t high_bits = 0;
  hn::StoreMaskBits(tag, hn::Gt(low, threshold), bytes);
  hwy::CopyBytes<4>(bytes, &low_bits);
  hn::StoreMaskBits(tag, hn::Gt(high, threshold), bytes);
  hwy::CopyBytes<4>(bytes, &high_bits);
  return low_bits | (high_bits << hn::Lanes(tag));
}

class RowWriter {
 public:
  RowWriter(uint32_t items, ScoredRow* rows)
      : existing_(items == 32 ? ~0U : (1U << items) - 1U), next_(rows) {}

  HWY_INLINE void write(Tag tag, uint32_t user, Vec low, Vec high, Vec threshold) {
    next_->user = user;
    next_->bits = bits_above(tag, low, high, threshold) & existing_;
    hn::StoreU(low, tag, next_->scores);
    hn::StoreU(high, tag, next_->scores + hn::Lanes(tag));
    next_ += next_->bits != 0 ? 1 : 0;
  }
  ScoredRow* next() const { return next_; }

 private:
  uint32_t existing_;
  ScoredRow* next_;
};

// One tile with the panel: 6 users x 2 vectors of items are 12 accumulators. With two vectors of
// items and one broadcast user value they fill 15 of the 16 registers of AVX2.
HWY_INLINE void score_tile(const float* HWY_RESTRICT tile, const float* HWY_RESTRICT panel,
                           uint32_t dim, const float* HWY_RESTRICT thresholds, uint32_t first_user,
                           RowWriter& rows) {
  const Tag tag;
  const size_t lanes = hn::Lanes(tag);
  Vec a0 = hn::Zero(tag), b0 = a0, a1 = a0, b1 = a0, a2 = a0, b2 = a0;
  Vec a3 = a0, b3 = a0, a4 = a0, b4 = a0, a5 = a0, b5 = a0;
  for (uint32_t k = 0; k < dim; ++k) {
    const Vec low = hn::Load(tag, panel);
    const Vec high = hn::Load(tag, panel + lanes);
    Vec user = hn::Set(tag, tile[0]);
    a0 = hn::MulAdd(user, low, a0);
    b0 = hn::MulAdd(user, high, b0);
    user = hn::Set(tag, tile[1]);
    a1 = hn::MulAdd(user, low, a1);
    b1 = hn::MulAdd(user, high, b1);
    user = hn::Set(tag, tile[2]);
    a2 = hn::MulAdd(user, low, a2);
    b2 = hn::MulAdd(user, high, b2);
    user = hn::Set(tag, tile[3]);
    a3 = hn::MulAdd(user, low, a3);
    b3 = hn::MulAdd(user, high, b3);
    user = hn::Set(tag, tile[4]);
    a4 = hn::MulAdd(user, low, a4);
    b4 = hn::MulAdd(user, high, b4);
    user = hn::Set(tag, tile[5]);
    a5 = hn::MulAdd(user, low, a5);
    b5 = hn::MulAdd(user, high, b5);
    tile += kTileUsers;
    panel += 2 * lanes;
  }
  const Vec t0 = hn::Set(tag, thresholds[0]), t1 = hn::Set(tag, thresholds[1]);
  const Vec t2 = hn::Set(tag, thresholds[2]), t3 = hn::Set(tag, thresholds[3]);
  const Vec t4 = hn::Set(tag, thresholds[4]), t5 = hn::Set(tag, thresholds[5]);
  // Once the lists are filled, most tiles have no score to keep: one branch skips them.
  const auto any01 =
      hn::Or(hn::Or(hn::Gt(a0, t0), hn::Gt(b0, t0)), hn::Or(hn::Gt(a1, t1), hn::Gt(b1, t1)));
  const auto any23 =
      hn::Or(hn::Or(hn::Gt(a2, t2), hn::Gt(b2, t2)), hn::Or(hn::Gt(a3, t3), hn::Gt(b3, t3)));
  const auto any45 =
      hn::Or(hn::Or(hn::Gt(a4, t4), hn::Gt(b4, t4)), hn::Or(hn::Gt(a5, t5), hn::Gt(b5, t5)));
  if (HWY_LIKELY(hn::AllFalse(tag, hn::Or(hn::Or(any01, any23), any45)))) return;
  rows.write(tag, first_user + 0, a0, b0, t0);
  rows.write(tag, first_user + 1, a1, b1, t1);
  rows.write(tag, first_user + 2, a2, b2, t2);
  rows.write(tag, first_user + 3, a3, b3, t3);
  rows.write(tag, first_user + 4, a4, b4, t4);
  rows.write(tag, first_user + 5, a5, b5, t5);
}

size_t score_panel(const float* users, size_t tiles, const float* panel, uint32_t items,
                   uint32_t dim, const float* thresholds, ScoredRow* rows) {
  RowWriter writer(items, rows);
  for (size_t tile = 0; tile < tiles; ++tile)
    score_tile(users + tile * dim * kTileUsers, panel, dim, thresholds + tile * kTileUsers,
               static_cast<uint32_t>(tile * kTileUsers), writer);
  return static_cast<size_t>(writer.next() - rows);
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(panel_width);
HWY_EXPORT(score_panel);

uint32_t panel_width() {
  return HWY_DYNAMIC_DISPATCH(panel_width)();
}

size_t score_panel(const float* users, size_t tiles, const float* panel, uint32_t items,
                   uint32_t dim, const float* thresholds, ScoredRow* rows) {
  return HWY_DYNAMIC_DISPATCH(score_panel)(users, tiles, panel, items, dim, thresholds, rows);
}

float reference::score(const float* user, const float* item, uint32_t dim) {
  float sum = 0;
  for (uint32_t k = 0; k < dim; ++k) sum = std::fma(user[k], item[k], sum);
  return sum;
}

}  // namespace divns
#endif
