// SPDX-License-Identifier: Apache-2.0
#include "kernels/count_above.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/count_above.cc"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

uint32_t count_above(const float* values, size_t n, float cut) {
  const hn::ScalableTag<float> tag;
  const hn::RebindToSigned<decltype(tag)> counts;
  const size_t lanes = hn::Lanes(tag);
  const auto threshold = hn::Set(tag, cut);
  // A true comparison is -1 as an integer.
  auto sum0 = hn::Zero(counts);
  auto sum1 = hn::Zero(counts);
  size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    sum0 = hn::Add(
        sum0, hn::VecFromMask(
                  counts, hn::RebindMask(counts, hn::Gt(hn::LoadU(tag, values + i), threshold))));
    sum1 = hn::Add(
        sum1,
        hn::VecFromMask(
            counts, hn::RebindMask(counts, hn::Gt(hn::LoadU(tag, values + i + lanes), threshold))));
  }
  auto count = static_cast<uint32_t>(-hn::GetLane(hn::SumOfLanes(counts, hn::Add(sum0, sum1))));
  for (; i < n; ++i) count += values[i] > cut ? 1U : 0U;
  return count;
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(count_above);

uint32_t count_above(std::span<const float> values, float cut) {
  return HWY_DYNAMIC_DISPATCH(count_above)(values.data(), values.size(), cut);
}

}  // namespace divns
#endif
