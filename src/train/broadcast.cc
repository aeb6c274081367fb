// SPDX-License-Identifier: Apache-2.0
#include "train/broadcast.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/activations.h"
#include "kernels/gemm.h"
#include "kernels/vectors.h"

namespace divns {
namespace {

// Rows of the B x B scores that a worker holds at a time.
constexpr size_t kTileRows = 48;

float largest(const float* x, size_t count) {
  float most = x[0];
  for (size_t i = 1; i < count; ++i) most = x[i] > most ? x[i] : most;
  return most;
}

}  // namespace

void require_two_parts(const Negatives& negatives) {
  const bool fits = !negatives.free_vectors && negatives.terms_each <= 2 &&
                    std::all_of(negatives.terms.begin(), negatives.terms.end(),
                                [](const Term& term) { return term.hop == kEveryHop; });
  if (!fits)
    fail(
        "broadcast_loss and broadcast_regulariser need negatives of one or two whole items, which "
        "this sampler does not give. Choose another sampler, for example dns or divns, or turn "
        "these options off.");
}

BroadcastScores::BroadcastScores(uint32_t dim, const Executor& executor)
    : executor_(executor),
      users_(0, dim),
      weighted_users_(0, dim),
      seconds_(0, dim),
      means_(0, dim),
      second_gradients_(0, dim),
      tiles_(static_cast<size_t>(executor.threads())) {}

float* BroadcastScores::tile(int worker) {
  AlignedVector<float>& tile = tiles_[static_cast<size_t>(worker)];
  tile.resize(kTileRows * rows_);
  return tile.data();
}

void BroadcastScores::transpose(const float* rows, AlignedVector<float>& out) const {
  const size_t width = users_.stride();
  out.resize(width * rows_);
  for (size_t b = 0; b < rows_; ++b)
    for (size_t d = 0; d < width; ++d) out[d * rows_ + b] = rows[b * width + d];
}

bool BroadcastScores::score(const Batch& batch, const Negatives& negatives,
                            const VectorTable& users, const VectorTable& items) {
  rows_ = batch.size();
  per_row_ = negatives.per_row;
  if (negatives.terms_each < 2) return false;
  const size_t width = users.stride;
  const auto entries = static_cast<uint32_t>(rows_ * per_row_);
  for (Table* table : {&seconds_, &means_, &second_gradients_, &weighted_users_})
    table->resize_rows(entries);
  users_.resize_rows(static_cast<uint32_t>(rows_));
  log_sums_.resize(entries);
  for (size_t b = 0; b < rows_; ++b) {
    std::copy_n(users.row(batch.users[b]), width, users_.row(b));
    for (size_t k = 0; k < per_row_; ++k) {
      const Term& second = negatives.terms[2 * (b * per_row_ + k) + 1];
      float* out = seconds_.row(k * rows_ + b);
      std::fill_n(out, width, 0.0F);
      if (second.weight != 0) axpy(second.weight, items.row(second.item), out, width);
    }
  }
  for (size_t k = 0; k < per_row_; ++k) {
    const float* seconds = seconds_.row(k * rows_);
    transpose(seconds, transposed_);
    executor_.for_chunks_with_worker(rows_, kTileRows, [&](int worker, size_t begin, size_t end) {
      const size_t count = end - begin;
      float* scores = tile(worker);
      gemm({users_.row(begin), count, width, width}, {transposed_.data(), width, rows_, rows_},
           scores, rows_);
      for (size_t i = 0; i < count; ++i) {
        float* row = scores + i * rows_;
        const float most = largest(row, rows_);
        const float sum = exp_and_sum(1, most, row, rows_);
        log_sums_[k * rows_ + begin + i] = most + std::log(sum);
        for (size_t j = 0; j < rows_; ++j) row[j] /= sum;
      }
      gemm({scores, count, rows_, rows_}, {seconds, rows_, width, width},
           means_.row(k * rows_ + begin), width);
    });
  }
  return true;
}

void BroadcastScores::send_back(const std::vector<float>& slopes) {
  const size_t width = users_.stride();
  transpose(users_.row(0), transposed_);
  for (size_t b = 0; b < rows_; ++b)
    for (size_t k = 0; k < per_row_; ++k)
      for (size_t d = 0; d < width; ++d)
        weighted_users_.row(k * rows_ + b)[d] = slopes[b * per_row_ + k] * users_.row(b)[d];
  for (size_t k = 0; k < per_row_; ++k)
    executor_.for_chunks_with_worker(rows_, kTileRows, [&](int worker, size_t begin, size_t end) {
      const size_t count = end - begin;
      const size_t first = k * rows_;
      float* scores = tile(worker);
      gemm({seconds_.row(first + begin), count, width, width},
           {transposed_.data(), width, rows_, rows_}, scores, rows_);
      for (size_t i = 0; i < count; ++i) {
        float* row = scores + i * rows_;
        for (size_t b = 0; b < rows_; ++b) row[b] -= log_sums_[first + b];
        exp_and_sum(1, 0, row, rows_);
      }
      gemm({scores, count, rows_, rows_}, {weighted_users_.row(first), rows_, width, width},
           second_gradients_.row(first + begin), width);
    });
}

void BroadcastPenalty::sum(const Negatives& negatives, const VectorTable& ego) {
  const size_t per_row = negatives.per_row;
  sums_.resize_rows(static_cast<uint32_t>(2 * per_row));
  std::fill_n(sums_.data(), 2 * per_row * sums_.stride(), 0.0F);
  cross_terms_ = 0;
  if (negatives.terms_each < 2) return;
  for (size_t i = 0; i < negatives.terms.size(); ++i) {
    const Term& term = negatives.terms[i];
    if (term.weight != 0)
      axpy(term.weight, ego.row(term.item), sums_.row(2 * (i / 2 % per_row) + i % 2), ego.stride);
  }
  for (size_t k = 0; k < per_row; ++k)
    cross_terms_ += 2 * double{dot(sums_.row(2 * k), sums_.row(2 * k + 1), ego.stride)};
}

}  // namespace divns
