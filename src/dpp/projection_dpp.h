// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/scratch.h"
#include "divns/aligned.h"
#include "divns/random.h"

namespace divns {

// n rows of k numbers, padded for the kernels.
struct Frame {
  size_t rows = 0;
  size_t columns = 0;
  size_t stride = 0;
  ScratchVector<double> values;

  void reset(size_t n, size_t k);
  double* row(size_t i) { return values.data() + i * stride; }
  const double* row(size_t i) const { return values.data() + i * stride; }
};

// Draws a set from the projection DPP with kernel Y Y^T, where Y is an n x k frame with orthonormal
// columns: exactly k rows, O(n k) per pick.
class ProjectionDpp {
 public:
  // Appends the rows in the order of the draw.
  void draw(const Frame& frame, Draws& draws, ScratchVector<uint32_t>& chosen);

 private:
  ScratchVector<double> chances_;
  ScratchVector<double> dots_;
  ScratchVector<double> directions_;  // orthonormal, one per pick
  ScratchVector<double> along_;
};

}  // namespace divns
