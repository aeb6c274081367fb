// SPDX-License-Identifier: Apache-2.0
#include "base/portable_math.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

// Additions, multiplications and divisions alone, which IEEE 754 rounds in one way. The project is
// compiled without contraction of a * b + c (cmake/BuildFlags.cmake).
namespace divns::portable {
namespace {

// log(2) in two parts. The upper part has 32 bits, so its product with an exponent is exact.
constexpr double kLog2High = 0x1.62e42feep-1;
constexpr double kLog2Low = 0x1.a39ef35793c76p-33;

// 1 / n!. Every n! up to 18! is exact in float64.
constexpr auto kInverseFactorials = [] {
  std::array<double, 19> values = {};
  double factorial = 1;
  for (size_t n = 0; n < values.size(); ++n) {
    if (n > 0) factorial *= static_cast<double>(n);
    values[n] = 1 / factorial;
  }
  return values;
}();

// x^first/first! + x^(first+2)/(first+2)! + ..., up to x^last, over x^first. `z` is x^2, negative
// for alternating signs.
double every_second_term(double z, size_t first, size_t last) {
  double sum = kInverseFactorials[last];
  for (size_t n = last; n > first; n -= 2) sum = kInverseFactorials[n - 2] + z * sum;
  return sum;
}

}  // namespace

double log(double x) {
  // x = 2^k m with m in [sqrt(1/2), sqrt(2)), and log m = 2 artanh(s) with s = (m - 1) / (m + 1):
  // 2 (s + s^3/3 + s^5/5 + ...), |s| < 0.172.
  int k = 0;
  double m = std::frexp(x, &k);
  if (m < std::numbers::sqrt2 / 2) {
    m *= 2;
    --k;
  }
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double tail = 0;
  for (int n = 23; n >= 3; n -= 2) tail = z * (tail + 1.0 / n);
  return k * kLog2High + (2 * s + (2 * s * tail + k * kLog2Low));
}

double exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.78) return std::numeric_limits<double>::infinity();
  if (x < -708.39) return 0;
  // x = k log 2 + r with |r| <= log(2) / 2, and the Taylor series of exp(r).
  const double k = std::floor(x / std::numbers::ln2 + 0.5);
  const double r = (x - k * kLog2High) - k * kLog2Low;
  double sum = kInverseFactorials[14];
  for (size_t n = 13; n >= 2; --n) sum = kInverseFactorials[n] + r * sum;
  return std::ldexp(1 + (r + r * r * sum), static_cast<int>(k));
}

double pow(double base, double exponent) {
  return exp(exponent * log(base));
}

SineCosine sine_cosine_of_turns(double turns) {
  // A quarter turn q is taken off exactly; the angle that is left is at most pi / 4.
  const double q = std::floor(4 * turns + 0.5);
  const double a = 2 * std::numbers::pi * (turns - q / 4);
  const double z = a * a;
  const double sine = a - a * z * every_second_term(-z, 3, 17);
  const double cosine = 1 - (0.5 * z - z * z * every_second_term(-z, 4, 18));
  const double turned = q - 4 * std::floor(q / 4);
  if (turned == 0) return {sine, cosine};
  if (turned == 1) return {cosine, -sine};
  if (turned == 2) return {-sine, -cosine};
  return {-cosine, sine};
}

}  // namespace divns::portable
