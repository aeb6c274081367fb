// SPDX-License-Identifier: Apache-2.0
#include "kernels/bfloat16.h"

#include <bit>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bfloat16.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/bfloat16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {

void round_to_bfloat16(const float* in, size_t count, uint16_t* out) {
  round_row(in, count, out);
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(round_to_bfloat16);

void round_to_bfloat16(const float* in, size_t count, uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(round_to_bfloat16)(in, count, out);
}

namespace reference {

float from_bfloat16(uint16_t value) {
  return std::bit_cast<float>(uint32_t{value} << 16);
}

// The two neighbours of the value, and the nearer one; the even one where both are as near.
void round_to_bfloat16(const float* in, size_t count, uint16_t* out) {
  for (size_t i = 0; i < count; ++i) {
    const auto below = static_cast<uint16_t>(std::bit_cast<uint32_t>(in[i]) >> 16);
    const auto above = static_cast<uint16_t>(below + 1);
    const double down = std::abs(double{in[i]} - double{from_bfloat16(below)});
    const double up = std::abs(double{from_bfloat16(above)} - double{in[i]});
    out[i] = down < up || (down == up && below % 2 == 0) ? below : above;
  }
}

}  // namespace reference
}  // namespace divns
#endif
