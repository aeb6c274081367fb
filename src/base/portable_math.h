// SPDX-License-Identifier: Apache-2.0
// Elementary functions with the same bits on every machine. Those of the C library differ in the
// last bit between processors with and without fused multiply-add; data that is generated from a
// seed must not. Errors are at most 2 units in the last place.
#pragma once

namespace divns::portable {

// For finite x > 0.
double log(double x);
// 0 where the result is below the smallest normal number, infinity where it is too large.
double exp(double x);
// base^exponent, for base > 0. The relative error grows with |exponent log(base)|.
double pow(double base, double exponent);

struct SineCosine {
  double sine = 0;
  double cosine = 0;
};
// Of the angle 2 pi turns, for |turns| < 2^50.
SineCosine sine_cosine_of_turns(double turns);

}  // namespace divns::portable
