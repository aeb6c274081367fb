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

// No sums across lanes here, so the widest vectors give the same bits as the narrowest.
void adam_step(const AdamStep& step, const float* HWY_RESTRICT gradient,
               float* HWY_RESTRICT parameter, float* HWY_RESTRICT m, float* HWY_RESTRICT v,
               size_t n) {
  const hn::CappedTag<float, 8> d;
  const auto beta1 = hn::Set(d, step.beta1);
  const auto beta2 = hn::Set(d, step.beta2);
  const auto rest1 = hn::Set(d, 1.0F - step.beta1);
  const auto rest2 = hn::Set(d, 1.0F - step.beta2);
  const auto rate = hn::Set(d, step.rate);
  const auto root = hn::Set(d, step.root);
  const auto epsilon = hn::Set(d, step.epsilon);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto g = hn::LoadU(d, gradient + i);
    const auto new_m = hn::MulAdd(beta1, hn::LoadU(d, m + i), hn::Mul(rest1, g));
    const auto new_v = hn::MulAdd(beta2, hn::LoadU(d, v + i), hn::Mul(hn::Mul(rest2, g), g));
    const auto scale = hn::MulAdd(hn::Sqrt(new_v), root, epsilon);
    const auto move = hn::Div(hn::Mul(rate, new_m), scale);
    hn::StoreU(new_m, d, m + i);
    hn::StoreU(new_v, d, v + i);
    hn::StoreU(hn::Sub(hn::LoadU(d, parameter + i), move), d, parameter + i);
  }
}

void adam_catch_up(const AdamCatchUp& steps, float* HWY_RESTRICT parameter, float* HWY_RESTRICT m,
                   float* HWY_RESTRICT v, size_t n) {
  const hn::CappedTag<float, 8> d;
  const auto m_decay = hn::Set(d, steps.m_decay);
  const auto v_decay = hn::Set(d, steps.v_decay);
  const auto epsilon = hn::Set(d, steps.epsilon);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto old_m = hn::LoadU(d, m + i);
    const auto old_v = hn::LoadU(d, v + i);
    const auto deviation = hn::Sqrt(old_v);
    auto sum = hn::Zero(d);
    for (size_t q = 0; q < steps.weights.size(); ++q) {
      const auto scale = hn::MulAdd(deviation, hn::Set(d, steps.roots[q]), epsilon);
      sum = hn::Add(sum, hn::Div(hn::Set(d, steps.weights[q]), scale));
    }
    hn::StoreU(hn::NegMulAdd(old_m, sum, hn::LoadU(d, parameter + i)), d, parameter + i);
    hn::StoreU(hn::Mul(old_m, m_decay), d, m + i);
    hn::StoreU(hn::Mul(old_v, v_decay), d, v + i);
  }
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(adam_step);
HWY_EXPORT(adam_catch_up);

void adam_step(const AdamStep& step, const float* gradient, float* parameter, float* m, float* v,
               size_t n) {
  HWY_DYNAMIC_DISPATCH(adam_step)(step, gradient, parameter, m, v, n);
}

void adam_catch_up(const AdamCatchUp& steps, float* parameter, float* m, float* v, size_t n) {
  HWY_DYNAMIC_DISPATCH(adam_catch_up)(steps, parameter, m, v, n);
}

namespace reference {

void adam_step(const AdamStep& step, const float* gradient, float* parameter, float* m, float* v,
               size_t n) {
  for (size_t i = 0; i < n; ++i) {
    m[i] = step.beta1 * m[i] + (1.0F - step.beta1) * gradient[i];
    v[i] = step.beta2 * v[i] + (1.0F - step.beta2) * gradient[i] * gradient[i];
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
