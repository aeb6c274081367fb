// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "divns/vectors.h"

namespace divns {

// The vectors of a model at one moment, read-only: the pooled ones, e = sum_l pool_weights[l]
// e^(l), and those of each hop l = 0 .. L. Hop 0 holds the parameters. Matrix factorisation has L =
// 0.
struct EmbeddingView {
  VectorTable users;                       // of unit length where the run scores by cosine
  VectorTable items;                       // likewise, or where it scores unit item vectors
  std::span<const VectorTable> user_hops;  // L + 1 tables; hop 0 alone where nobody needs more
  std::span<const VectorTable> item_hops;
  std::span<const float> pool_weights;  // L + 1 factors: 1 / (L + 1) for the mean
};

}  // namespace divns
