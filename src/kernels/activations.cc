// SPDX-License-Identifier: Apache-2.0
#include "kernels/activations.h"

#include <cmath>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/activations.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// The macros of foreach_target come first.
#include <hwy/contrib/math/math-inl.h>

#include "kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using V = hn::Vec<Lanes8>;

HWY_INLINE V sigmoid(V x) {
  const Lanes8 d;
  const V one = hn::Set(d, 1.0F);
  return hn::Div(one, hn::Add(one, hn::Exp(d, hn::Neg(x))));
}

// (e^2x - 1) / (e^2x + 1), with the argument clamped to where e^2x is finite and tanh rounds to 1.
HWY_INLINE V hyperbolic_tangent(V x) {
  const Lanes8 d;
  const V bound = hn::Set(d, 10.0F);
  const V held = hn::Max(hn::Min(x, bound), hn::Neg(bound));
  const V e = hn::Exp(d, hn::Add(held, held));
  const V one = hn::Set(d, 1.0F);
  return hn::Sub(one, hn::Div(hn::Set(d, 2.0F), hn::Add(e, one)));
}

void tanh_biased(const float* HWY_RESTRICT bias, float* HWY_RESTRICT x, size_t n) {
  const Lanes8 d;
  for (size_t i = 0; i < n; i += hn::Lanes(d))
    hn::StoreU(hyperbolic_tangent(hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, bias + i))), d, x + i);
}

void tanh_backward(const float* HWY_RESTRICT y, float* HWY_RESTRICT gradient, size_t n) {
  const Lanes8 d;
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V v = hn::LoadU(d, y + i);
    const V slope = hn::NegMulAdd(v, v, hn::Set(d, 1.0F));
    hn::StoreU(hn::Mul(hn::LoadU(d, gradient + i), slope), d, gradient + i);
  }
}

void apply_gate(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                const float* HWY_RESTRICT x, float* HWY_RESTRICT gate, float* HWY_RESTRICT gated,
                size_t n) {
  const Lanes8 d;
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V g = sigmoid(hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)));
    hn::StoreU(g, d, gate + i);
    hn::StoreU(hn::Mul(g, hn::LoadU(d, x + i)), d, gated + i);
  }
}

float gated_score(const float* HWY_RESTRICT user, const float* HWY_RESTRICT x,
                  const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, float kept, size_t n) {
  const Lanes8 d;
  const V share = hn::Set(d, kept);
  V sum = hn::Zero(d);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V g = sigmoid(hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)));
    const V product = hn::Mul(hn::LoadU(d, user + i), hn::LoadU(d, x + i));
    sum = hn::MulAdd(product, hn::Sub(share, g), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

void gate_backward(const float* HWY_RESTRICT gradient, const float* HWY_RESTRICT x,
                   const float* HWY_RESTRICT gate, float* HWY_RESTRICT dz, size_t n) {
  const Lanes8 d;
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V g = hn::LoadU(d, gate + i);
    const V slope = hn::NegMulAdd(g, g, g);
    const V product = hn::Mul(hn::LoadU(d, gradient + i), hn::LoadU(d, x + i));
    hn::StoreU(hn::Mul(product, slope), d, dz + i);
  }
}

float exp_and_sum(float scale, float shift, float* HWY_RESTRICT x, size_t count) {
  const Lanes8 d;
  const size_t lanes = hn::Lanes(d);
  const V factor = hn::Set(d, scale);
  const V offset = hn::Set(d, shift);
  V sum = hn::Zero(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const V e = hn::Exp(d, hn::MulSub(hn::LoadU(d, x + i), factor, offset));
    sum = hn::Add(sum, e);
    hn::StoreU(e, d, x + i);
  }
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) {
    x[i] = std::exp(scale * x[i] - shift);
    total += x[i];
  }
  return total;
}

void normals_from_words(const uint32_t* HWY_RESTRICT words, float* HWY_RESTRICT out, size_t n) {
  const Lanes8 d;
  const hn::RebindToSigned<Lanes8> di;
  const hn::RebindToUnsigned<Lanes8> du;
  const V grid = hn::Set(d, 0x1p-24F);
  const V turn = hn::Set(d, static_cast<float>(2 * std::numbers::pi) * 0x1p-24F);
  const auto real = [&](const uint32_t* from, float plus) {
    const auto word = hn::ShiftRight<8>(hn::LoadU(du, from));
    return hn::Add(hn::ConvertTo(d, hn::BitCast(di, word)), hn::Set(d, plus));
  };
  constexpr size_t kHalf = kNormalBlock / 2;
  for (size_t block = 0; block < n; block += kNormalBlock)
    for (size_t i = block; i < block + kHalf; i += hn::Lanes(d)) {
      // Plus one gives (0, 1], where the logarithm is finite.
      const V log = hn::Log(d, hn::Mul(real(words + i, 1), grid));
      const V radius = hn::Sqrt(hn::Mul(hn::Set(d, -2.0F), log));
      const V angle = hn::Mul(real(words + i + kHalf, 0), turn);
      hn::StoreU(hn::Mul(radius, hn::Cos(d, angle)), d, out + i);
      hn::StoreU(hn::Mul(radius, hn::Sin(d, angle)), d, out + i + kHalf);
    }
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(tanh_biased);
HWY_EXPORT(tanh_backward);
HWY_EXPORT(apply_gate);
HWY_EXPORT(gated_score);
HWY_EXPORT(gate_backward);
HWY_EXPORT(exp_and_sum);
HWY_EXPORT(normals_from_words);

void tanh_biased(const float* bias, float* x, size_t n) {
  HWY_DYNAMIC_DISPATCH(tanh_biased)(bias, x, n);
}

void tanh_backward(const float* y, float* gradient, size_t n) {
  HWY_DYNAMIC_DISPATCH(tanh_backward)(y, gradient, n);
}

void apply_gate(const float* a, const float* b, const float* x, float* gate, float* gated,
                size_t n) {
  HWY_DYNAMIC_DISPATCH(apply_gate)(a, b, x, gate, gated, n);
}

float gated_score(const float* user, const float* x, const float* a, const float* b, float kept,
                  size_t n) {
  return HWY_DYNAMIC_DISPATCH(gated_score)(user, x, a, b, kept, n);
}

void gate_backward(const float* gradient, const float* x, const float* gate, float* dz, size_t n) {
  HWY_DYNAMIC_DISPATCH(gate_backward)(gradient, x, gate, dz, n);
}

float exp_and_sum(float scale, float shift, float* x, size_t count) {
  return HWY_DYNAMIC_DISPATCH(exp_and_sum)(scale, shift, x, count);
}

void normals_from_words(const uint32_t* words, float* out, size_t n) {
  HWY_DYNAMIC_DISPATCH(normals_from_words)(words, out, n);
}

namespace reference {
namespace {

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

void tanh_biased(const float* bias, float* x, size_t n) {
  for (size_t i = 0; i < n; ++i)
    x[i] = static_cast<float>(std::tanh(double{x[i]} + double{bias[i]}));
}

void tanh_backward(const float* y, float* gradient, size_t n) {
  for (size_t i = 0; i < n; ++i) gradient[i] *= 1 - y[i] * y[i];
}

void apply_gate(const float* a, const float* b, const float* x, float* gate, float* gated,
                size_t n) {
  for (size_t i = 0; i < n; ++i) {
    gate[i] = static_cast<float>(sigmoid(double{a[i]} + double{b[i]}));
    gated[i] = gate[i] * x[i];
  }
}

float gated_score(const float* user, const float* x, const float* a, const float* b, float kept,
                  size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += double{user[i]} * double{x[i]} * (double{kept} - sigmoid(double{a[i]} + double{b[i]}));
  return static_cast<float>(sum);
}

void gate_backward(const float* gradient, const float* x, const float* gate, float* dz, size_t n) {
  for (size_t i = 0; i < n; ++i) dz[i] = gradient[i] * x[i] * gate[i] * (1 - gate[i]);
}

float exp_and_sum(float scale, float shift, float* x, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    x[i] = static_cast<float>(std::exp(double{scale} * double{x[i]} - double{shift}));
    sum += double{x[i]};
  }
  return static_cast<float>(sum);
}

void normals_from_words(const uint32_t* words, float* out, size_t n) {
  constexpr size_t kHalf = kNormalBlock / 2;
  for (size_t block = 0; block < n; block += kNormalBlock)
    for (size_t i = block; i < block + kHalf; ++i) {
      const double radius = std::sqrt(-2 * std::log(((words[i] >> 8) + 1) * 0x1p-24));
      const double angle = 2 * std::numbers::pi * (words[i + kHalf] >> 8) * 0x1p-24;
      out[i] = static_cast<float>(radius * std::cos(angle));
      out[i + kHalf] = static_cast<float>(radius * std::sin(angle));
    }
}

}  // namespace reference
}  // namespace divns
#endif
