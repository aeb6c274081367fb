// SPDX-License-Identifier: Apache-2.0
#include "kernels/adam.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A step, a catch-up, or both in sequence, on columns [begin, end). Both divide by sqrt(v), which
// does not change between them. There are no sums across lanes, so all vector widths give the same
// bits.
template <bool kSteps, bool kCatchesUp, class D>
HWY_INLINE void move_columns(D d, const AdamStep& step, const AdamCatchUp& gap,
                             const float* HWY_RESTRICT gradient, float* HWY_RESTRICT parameter,
                             float* HWY_RESTRICT m, float* HWY_RESTRICT v, size_t begin,
                             size_t end) {
  const auto beta1 = hn::Set(d, step.beta1);
  const auto beta2 = hn::Set(d, step.beta2);
  const auto rest1 = hn::Set(d, step.rest1);
  const auto rest2 = hn::Set(d, step.rest2);
  const auto rate = hn::Set(d, step.rate);
  const auto root = hn::Set(d, step.root);
  const auto m_decay = hn::Set(d, gap.m_decay);
  const auto v_decay = hn::Set(d, gap.v_decay);
  for (size_t i = begin; i < end; i += hn::Lanes(d)) {
    auto new_p = hn::LoadU(d, parameter + i);
    auto new_m = hn::LoadU(d, m + i);
    auto new_v = hn::LoadU(d, v + i);
    if constexpr (kSteps) {
      const auto g = hn::LoadU(d, gradient + i);
      new_m = hn::MulAdd(beta1, new_m, hn::Mul(rest1, g));
      new_v = hn::MulAdd(beta2, new_v, hn::Mul(hn::Mul(rest2, g), g));
    }
    const auto deviation = hn::Sqrt(new_v);
    if constexpr (kSteps) {
      const auto scale = hn::MulAdd(deviation, root, hn::Set(d, step.epsilon));
      new_p = hn::Sub(new_p, hn::Div(hn::Mul(rate, new_m), scale));
    }
    if constexpr (kCatchesUp) {
      auto sum = hn::Zero(d);
      for (size_t q = 0; q < gap.weights.size(); ++q) {
        const auto scale = hn::MulAdd(deviation, hn::Set(d, gap.roots[q]), hn::Set(d, gap.epsilon));
        sum = hn::Add(sum, hn::Div(hn::Set(d, gap.weights[q]), scale));
      }
      new_p = hn::NegMulAdd(new_m, sum, new_p);
      new_m = hn::Mul(new_m, m_decay);
      new_v = hn::Mul(new_v, v_decay);
    }
    hn::StoreU(new_m, d, m + i);
    hn::StoreU(new_v, d, v + i);
    hn::StoreU(new_p, d, parameter + i);
  }
}

template <bool kSteps, bool kCatchesUp>
HWY_INLINE void move_row(const AdamStep& step, const AdamCatchUp& gap, const float* gradient,
                         float* parameter, float* m, float* v, size_t n) {
  const hn::CappedTag<float, 16> wide;
  const hn::CappedTag<float, 8> narrow;
  const size_t split = n - n % hn::Lanes(wide);
  const size_t whole = n - n % hn::Lanes(narrow);
  move_columns<kSteps, kCatchesUp>(wide, step, gap, gradient, parameter, m, v, 0, split);
  move_columns<kSteps, kCatchesUp>(narrow, step, gap, gradient, parameter, m, v, split, whole);
  // Rows of tables are padded and end here.
  if (whole == n) return;
  const hn::CappedTag<float, 1> single;
  move_columns<kSteps, kCatchesUp>(single, step, gap, gradient, parameter, m, v, whole, n);
}

void adam_step(const AdamStep& step, const float* gradient, float* parameter, float* m, float* v,
               size_t n) {
  move_row<true, false>(step, {}, gradient, parameter, m, v, n);
}

void adam_catch_up(const AdamCatchUp& gap, float* parameter, float* m, float* v, size_t n) {
  move_row<false, true>({}, gap, nullptr, parameter, m, v, n);
}

void adam_step_then_catch_up(const AdamStep& step, const AdamCatchUp& gap, const float* gradient,
                             float* parameter, float* m, float* v, size_t n) {
  move_row<true, true>(step, gap, gradient, parameter, m, v, n);
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(adam_step);
HWY_EXPORT(adam_catch_up);
HWY_EXPORT(adam_step_then_catch_up);

void adam_step(const AdamStep& step, const float* gradient, float* parameter, float* m, float* v,
               size_t n) {
  HWY_DYNAMIC_DISPATCH(adam_step)(step, gradient, parameter, m, v, n);
}

void adam_catch_up(const AdamCatchUp& steps, float* parameter, float* m, float* v, size_t n) {
  HWY_DYNAMIC_DISPATCH(adam_catch_up)(steps, parameter, m, v, n);
}

void adam_step_then_catch_up(const AdamStep& step, const AdamCatchUp& steps, const float* gradient,
                             float* parameter, float* m, float* v, size_t n) {
  HWY_DYNAMIC_DISPATCH(adam_step_then_catch_up)(step, steps, gradient, parameter, m, v, n);
}

namespace reference {

void adam_step(const AdamStep& step, const float* gradient, float* parameter, float* m, float* v,
               size_t n) {
  for (size_t i = 0; i < n; ++i) {
    m[i] = step.beta1 * m[i] + step.rest1 * gradient[i];
    v[i] = step.beta2 * v[i] + step.rest2 * gradient[i] * gradient[i];
    parameter[i] -= step.rate * m[i] / (std::sqrt(v[i]) * step.root + step.epsilon);
  }
}

void adam_catch_up(const AdamCatchUp& steps, float* parameter, float* m, float* v, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t q = 0; q < steps.weights.size(); ++q)
      parameter[i] -= m[i] * steps.weights[q] / (std::sqrt(v[i]) * steps.roots[q] + steps.epsilon);
    m[i] *= steps.m_decay;
    v[i] *= steps.v_decay;
  }
}

}  // namespace reference
}  // namespace divns
#endif
