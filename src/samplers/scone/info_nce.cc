// SPDX-License-Identifier: Apache-2.0
#include "samplers/scone/info_nce.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/activations.h"
#include "kernels/gemm.h"
#include "kernels/vectors.h"
#include "numerics/unit_rows.h"
#include "samplers/linear_layer.h"

namespace divns {
namespace {

constexpr size_t kViewRowsPerChunk = 256;
// Number of rows whose similarities to all others are in memory at a time.
constexpr size_t kBlock = 64;
// Number of groups of rows that workers process. Each group has a table of gradients of the other
// view, which limits their number.
constexpr size_t kGroups = 16;
constexpr double kFloor = 1e-5;

// Through v = x / |x|: dx = (g - v (v . g)) / |x|.
void through_norm(const float* g, const float* unit, float inverse, float* out, size_t n) {
  const float along = dot(g, unit, n);
  for (size_t k = 0; k < n; ++k) out[k] = (g[k] - along * unit[k]) * inverse;
}

}  // namespace

struct InfoNce::Scratch {
  AlignedVector<float> similarities;  // kBlock x rows
};

InfoNce::InfoNce(uint32_t dim, const Executor& executor)
    : executor_(executor),
      unit_a_(0, dim),
      unit_b_(0, dim),
      by_a_(0, dim),
      by_b_(kGroups, Table(0, dim)),
      scratch_(static_cast<size_t>(executor.threads())) {}

InfoNce::~InfoNce() = default;

void InfoNce::normalise(const Table& from, size_t begin, size_t rows, Table& unit,
                        std::vector<float>& inverse) {
  unit.resize_rows(static_cast<uint32_t>(rows));
  inverse.resize(rows);
  executor_.for_chunks(rows, kViewRowsPerChunk, [&](size_t first, size_t last) {
    for (size_t r = first; r < last; ++r)
      inverse[r] = unit_row(from.row(begin + r), unit.row(r), from.stride());
  });
}

void InfoNce::group_of_rows(size_t begin, size_t end, size_t rows, double temperature,
                            double weight, Table& b_sums, Scratch& scratch) {
  const auto slope = static_cast<float>(1 / temperature);
  const MatrixView a = matrix(unit_a_);
  const MatrixView b = matrix(unit_b_);
  const size_t dim = unit_a_.dim();
  scratch.similarities.resize(std::max(scratch.similarities.size(), kBlock * rows));
  float* p = scratch.similarities.data();
  b_sums.resize_rows(static_cast<uint32_t>(rows));
  std::fill_n(b_sums.data(), rows * b_sums.stride(), 0.0F);
  for (size_t i = begin; i < end; i += kBlock) {
    const size_t count = std::min(kBlock, end - i);
    gemm(a.part(i, count, 0, dim), b.transposed(), p, rows);
    for (size_t r = 0; r < count; ++r) {
      // A cosine is at most 1, so exp(c - 1 / tau) cannot overflow.
      float* row = p + r * rows;
      const float sum = exp_and_sum(slope, slope, row, rows);
      const double share = double{row[i + r]} / double{sum};
      losses_[i + r] = -weight * std::log(share + kFloor);
      // dLoss/dc_ij = weight share / (share + floor) (p_ij - [i = j]); the factor 1 / tau is from
      // c.
      const auto factor = static_cast<float>(weight * share / (share + kFloor) / temperature);
      const float scale = factor / sum;
      for (size_t j = 0; j < rows; ++j) row[j] *= scale;
      row[i + r] -= factor;
    }
    const MatrixView slopes{p, count, rows, rows};
    gemm(slopes, b, by_a_.row(i), by_a_.stride());
    gemm(slopes.transposed(), a.part(i, count, 0, dim), b_sums.data(), b_sums.stride(), true);
  }
}

double InfoNce::loss(const Table& a, const Table& b, size_t begin, size_t rows, double temperature,
                     double weight, Table& a_gradient, Table& b_gradient) {
  if (rows == 0) return 0;
  normalise(a, begin, rows, unit_a_, inverse_a_);
  normalise(b, begin, rows, unit_b_, inverse_b_);
  by_a_.resize_rows(static_cast<uint32_t>(rows));
  losses_.resize(rows);
  const size_t blocks = (rows + kBlock - 1) / kBlock;
  const size_t grain = (blocks + kGroups - 1) / kGroups * kBlock;
  const size_t groups = (rows + grain - 1) / grain;
  executor_.for_chunks_with_worker(rows, grain, [&](int worker, size_t first, size_t last) {
    group_of_rows(first, last, rows, temperature, weight / static_cast<double>(rows),
                  by_b_[first / grain], scratch_[static_cast<size_t>(worker)]);
  });
  executor_.for_chunks(rows, kViewRowsPerChunk, [&](size_t first, size_t last) {
    for (size_t r = first; r < last; ++r) {
      const size_t n = unit_a_.stride();
      for (size_t group = 1; group < groups; ++group)
        axpy(1, by_b_[group].row(r), by_b_[0].row(r), n);
      through_norm(by_a_.row(r), unit_a_.row(r), inverse_a_[r], a_gradient.row(begin + r), n);
      through_norm(by_b_[0].row(r), unit_b_.row(r), inverse_b_[r], b_gradient.row(begin + r), n);
    }
  });
  return std::accumulate(losses_.begin(), losses_.end(), 0.0);
}

}  // namespace divns
