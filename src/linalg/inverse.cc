// SPDX-License-Identifier: Apache-2.0
#include "linalg/inverse.h"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Cholesky>

namespace divns {
namespace {

constexpr uint32_t kWidth = PanelMatrix::kWidth;
using Tile = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// to(j, i) = sign * from(i, j)
void transpose(MatrixView from, float sign, float* to, size_t to_step) {
  for (size_t i = 0; i < from.rows; ++i)
    for (size_t j = 0; j < from.columns; ++j)
      to[j * to_step + i] = sign * from.data[i * from.row_step + j];
}

void copy(MatrixView from, float sign, float* to, size_t to_step) {
  for (size_t i = 0; i < from.rows; ++i)
    for (size_t j = 0; j < from.columns; ++j)
      to[i * to_step + j] = sign * from.data[i * from.row_step + j];
}

// The block sweep. For one block K of rows after another, with D the inverse of A_KK,
//   A_IJ <- A_IJ - A_IK D A_KJ,  A_IK <- A_IK D,  A_KK <- -D,
// which leaves -A^-1 after all blocks. Every A_KK is a Schur complement of A, so it is positive
// definite and no pivoting is needed. The matrix stays symmetric, so the lower tiles suffice.
class Sweep {
 public:
  Sweep(PanelMatrix& a, const Executor& executor)
      : a_(a),
        executor_(executor),
        across_(size_t{a.panels()} * kWidth * kWidth),
        scaled_(across_.size()) {}

  bool step(uint32_t k) {
    if (!invert_diagonal(k)) return false;
    executor_.for_chunks(a_.panels(), 1, [&](size_t i, size_t) {
      if (i != k) take_out(k, static_cast<uint32_t>(i));
    });
    // Tile (i, j), j <= i, is number i (i + 1) / 2 + j.
    const size_t panels = a_.panels();
    executor_.for_chunks(panels * (panels + 1) / 2, 1, [&](size_t tile, size_t) {
      uint32_t i = 0;
      while (size_t{i + 1} * (i + 2) / 2 <= tile) ++i;
      update(k, i, static_cast<uint32_t>(tile - size_t{i} * (i + 1) / 2));
    });
    return true;
  }

 private:
  static size_t scratch(uint32_t panel) { return size_t{panel} * kWidth * kWidth; }
  // A_KJ, w x w_J, and -A_IK D, w_I x w.
  MatrixView across(uint32_t k, uint32_t j) const {
    return {across_.data() + scratch(j), a_.width(k), a_.width(j), kWidth};
  }
  MatrixView scaled(uint32_t k, uint32_t i) const {
    return {scaled_.data() + scratch(i), a_.width(i), a_.width(k), kWidth};
  }

  // In float64: most precision is lost here, and it is a small part of the work.
  bool invert_diagonal(uint32_t k) {
    const auto w = static_cast<Eigen::Index>(a_.width(k));
    const Eigen::Map<const Tile, 0, Eigen::OuterStride<>> tile(a_.tile_data(k, k), w, w,
                                                               Eigen::OuterStride<>(a_.stride(k)));
    const Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> factor(tile.cast<double>());
    if (factor.info() != Eigen::Success) return false;
    const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(w, w));
    if (!inverse.allFinite()) return false;
    minus_d_ = -inverse.cast<float>();
    return true;
  }

  void take_out(uint32_t k, uint32_t i) {
    float* wanted = across_.data() + scratch(i);
    if (i < k)
      copy(a_.tile(k, i), 1, wanted, kWidth);
    else
      transpose(a_.tile(i, k), 1, wanted, kWidth);
    const MatrixView minus_d = {minus_d_.data(), a_.width(k), a_.width(k), a_.width(k)};
    gemm(across(k, i).transposed(), minus_d, scaled_.data() + scratch(i), kWidth);
  }

  void update(uint32_t k, uint32_t i, uint32_t j) {
    float* tile = a_.tile_data(i, j);
    const size_t step = a_.stride(j);
    if (i == k && j == k)
      copy({minus_d_.data(), a_.width(k), a_.width(k), a_.width(k)}, 1, tile, step);
    else if (i == k)
      transpose(scaled(k, j), -1, tile, step);
    else if (j == k)
      copy(scaled(k, i), -1, tile, step);
    else
      gemm(scaled(k, i), across(k, j), tile, step, true);
  }

  PanelMatrix& a_;
  const Executor& executor_;
  Tile minus_d_;
  ScratchVector<float> across_;  // panels x (w x w_J)
  ScratchVector<float> scaled_;  // panels x (w_I x w)
};

// A <- -A; the upper triangle is copied from the lower one.
void negate_and_mirror(PanelMatrix& a, const Executor& executor) {
  executor.for_chunks(a.panels(), 1, [&](size_t chunk, size_t) {
    const auto i = static_cast<uint32_t>(chunk);
    for (uint32_t j = 0; j < i; ++j) {
      copy(a.tile(i, j), -1, a.tile_data(i, j), a.stride(j));
      transpose(a.tile(i, j), 1, a.tile_data(j, i), a.stride(i));
    }
    float* tile = a.tile_data(i, i);
    const size_t step = a.stride(i);
    for (size_t r = 0; r < a.width(i); ++r)
      for (size_t c = 0; c <= r; ++c) tile[c * step + r] = tile[r * step + c] *= -1;
  });
}

}  // namespace

bool invert_positive_definite(PanelMatrix& a, const Executor& executor,
                              const std::function<void(double)>& on_progress) {
  Sweep sweep(a, executor);
  for (uint32_t k = 0; k < a.panels(); ++k) {
    if (!sweep.step(k)) return false;
    if (on_progress) on_progress((k + 1.0) / a.panels());
  }
  negate_and_mirror(a, executor);
  return true;
}

}  // namespace divns
