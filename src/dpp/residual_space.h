// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/scratch.h"

namespace divns {

// What a set S of chosen rows leaves uncovered: M = (I + B_S^T B_S / eps)^-1, in float64. The gain
// of a row b is eps + b^T M b. Choosing b changes M by -w w^T with w = M b / sqrt(eps + b^T M b).
// Recent w are kept separately and subtracted from M in blocks, as one matrix product.
class ResidualSpace {
 public:
  // `width` is the padded row length. jitter = eps; for 0, M is the projection onto the complement
  // of the span of S.
  void reset(size_t width, double jitter);

  // b^T M b >= 0. Keeps M b for choose().
  double residual(const float* row);
  // Adds the row of the last call of residual(). Returns w.
  const double* choose();
  // M with all w subtracted: width x width.
  const double* matrix();
  double norm();  // Frobenius

 private:
  void flush();

  static constexpr size_t kBlock = 16;
  // While M = I there is no matrix to multiply with, so a longer first block pays off.
  static constexpr size_t kFirstBlock = 32;

  size_t width_ = 0;
  double jitter_ = 0;
  bool is_identity_ = true;
  double residual_ = 0;
  size_t pending_ = 0;
  ScratchVector<double> m_;
  ScratchVector<double> recent_;  // kFirstBlock x width
  ScratchVector<double> row_;     // b
  ScratchVector<double> image_;   // M b
};

}  // namespace divns
