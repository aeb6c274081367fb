// SPDX-License-Identifier: Apache-2.0
#include "train/uniformity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/block_rows.h"

namespace divns {
namespace {

constexpr size_t kUniformRows = 64;

}  // namespace

Uniformity::Uniformity(uint32_t dim, const Executor& executor)
    : executor_(executor), gradients_(0, dim), panels_(static_cast<size_t>(executor.threads())) {}

void Uniformity::compute(const Table& vectors) {
  const size_t count = vectors.rows();
  const size_t width = vectors.stride();
  gradients_.resize_rows(vectors.rows());
  row_sums_.resize(count);
  const MatrixView all{vectors.data(), count, width, width};
  to_scores_.pack(all.transposed());
  to_gradients_.pack(all);
  const size_t step = (count + 15) / 16 * 16 + 16;
  executor_.for_chunks_with_worker(count, kUniformRows, [&](int worker, size_t begin, size_t end) {
    AlignedVector<float>& panel = panels_[static_cast<size_t>(worker)];
    panel.resize(kUniformRows * step);
    const MatrixView rows{vectors.row(begin), end - begin, width, width};
    gemm(rows, to_scores_, panel.data(), step);
    for (size_t i = begin; i < end; ++i) {
      float* row = panel.data() + (i - begin) * step;
      row[i] = -std::numeric_limits<float>::infinity();
      row_sums_[i] = double{exponentials(4, 1, nullptr, row, count)};
    }
    gemm({panel.data(), end - begin, count, step}, to_gradients_, gradients_.row(begin), width);
  });
  const double total = std::accumulate(row_sums_.begin(), row_sums_.end(), 0.0);
  const auto pairs = static_cast<double>(count) * (static_cast<double>(count) - 1);
  value_ = count < 2 ? 0 : std::log(total / pairs);
  const float factor = count < 2 ? 0 : static_cast<float>(8 / total);
  executor_.for_chunks(count, kUniformRows, [&](size_t begin, size_t end) {
    scale_row(factor, gradients_.row(begin), (end - begin) * width);
  });
}

}  // namespace divns
