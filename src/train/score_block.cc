// SPDX-License-Identifier: Apache-2.0
#include "train/score_block.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "kernels/vectors.h"

namespace divns {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();
// Groups of rows, each with its own sum of the gradients of the negatives.
constexpr size_t kGradientGroups = 16;
// A panel has about this many floats (half a megabyte), and at most so many rows.
constexpr size_t kPanelFloats = size_t{1} << 17;
constexpr size_t kMostPanelRows = 64;
constexpr size_t kFewestPanelRows = 12;
constexpr size_t kRowsPerChunk = 128;

MatrixView matrix(const Table& table, size_t first_row, size_t rows) {
  return {table.row(first_row), rows, table.stride(), table.stride()};
}

}  // namespace

// Of one worker, on separate cache lines.
struct alignas(128) ScoreBlock::Scratch {
  AlignedVector<float> panel;
  PackedMatrix users;
  std::vector<float> sorted;
};

ScoreBlock::ScoreBlock(const Loss& loss, const Interactions& train, uint32_t dim,
                       const Executor& executor)
    : loss_(loss),
      executor_(executor),
      columns_(train),
      rows_(0, dim),
      positives_(0, dim),
      negatives_(0, dim),
      negative_sum_(rows_.stride()),
      user_gradients_(0, dim),
      item_gradients_(0, dim),
      group_gradients_(kGradientGroups, Table(0, dim)),
      scratch_(static_cast<size_t>(executor.threads())) {}

ScoreBlock::~ScoreBlock() = default;

void ScoreBlock::gather(const Batch& batch, const VectorTable& users, const VectorTable& items,
                        const SharedNegatives& shared) {
  const size_t width = rows_.stride();
  for (Table* table : {&rows_, &positives_, &user_gradients_})
    table->resize_rows(static_cast<uint32_t>(batch.size()));
  for (Table* table : {&negatives_, &item_gradients_})
    table->resize_rows(static_cast<uint32_t>(count_));
  positive_scores_.resize(batch.size());
  positive_slopes_.resize(batch.size());
  losses_.resize(batch.size());
  hardness_.resize(batch.size());
  counts_.resize(batch.size());
  weight_sums_.resize(log_weights_.empty() ? 0 : batch.size());
  executor_.for_chunks(batch.size(), kRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      std::copy_n(users.row(batch.users[b]), width, rows_.row(b));
      std::copy_n(items.row(batch.positives[b]), width, positives_.row(b));
      positive_scores_[b] = dot(rows_.row(b), positives_.row(b), width);
    }
  });
  executor_.for_chunks(count_, kRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j)
      std::copy_n(items.row(shared.items[j]), width, negatives_.row(j));
  });
  std::fill(negative_sum_.begin(), negative_sum_.end(), 0.0F);
  for (size_t j = 0; j < count_; ++j) axpy(1, negatives_.row(j), negative_sum_.data(), width);
  executor_.run(2, [&](int, size_t which) {
    const MatrixView v = matrix(negatives_, 0, count_);
    if (which == 0)
      to_scores_.pack(v.transposed());
    else
      to_users_.pack(v);
  });
}

void ScoreBlock::compute(const Batch& batch, const SharedNegatives& shared,
                         std::span<const float> row_weights, const VectorTable& users,
                         const VectorTable& items) {
  count_ = shared.items.size();
  step_ = (count_ + 15) / 16 * 16 + 16;  // not a power of two, which would crowd a few cache sets
  hardest_ = shared.hardest < count_ ? shared.hardest : 0;
  row_weights_ = row_weights;
  log_weights_ = shared.log_weights;
  // Relative to the largest one, which changes no loss.
  const float top = log_weights_.empty() ? 0 : std::ranges::max(log_weights_);
  weights_.resize(log_weights_.size());
  for (size_t j = 0; j < weights_.size(); ++j) {
    log_weights_[j] -= top;
    weights_[j] = std::exp(log_weights_[j]);
  }
  weight_sum_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  columns_.set(shared.items);
  gather(batch, users, items, shared);
  if (count_ == 0) {
    score_positives_alone(batch);
    return;
  }

  const size_t panel_rows = std::clamp(kPanelFloats / step_, kFewestPanelRows, kMostPanelRows);
  const size_t share = (batch.size() + kGradientGroups - 1) / kGradientGroups;
  const size_t group_rows = std::max<size_t>(share, std::min(batch.size(), kMostPanelRows));
  const size_t groups = (batch.size() + group_rows - 1) / group_rows;
  for (size_t g = 0; g < groups; ++g)
    group_gradients_[g].resize_rows(static_cast<uint32_t>(count_));
  executor_.for_chunks_with_worker(
      batch.size(), group_rows, [&](int worker, size_t begin, size_t end) {
        for (size_t b = begin; b < end; b += panel_rows)
          score_rows(batch, b, std::min(end, b + panel_rows), scratch_[static_cast<size_t>(worker)],
                     group_gradients_[begin / group_rows].data(), b > begin);
      });
  executor_.for_chunks(count_, kRowsPerChunk, [&](size_t begin, size_t end) {
    const size_t width = item_gradients_.stride();
    std::copy_n(group_gradients_[0].row(begin), (end - begin) * width, item_gradients_.row(begin));
    for (size_t g = 1; g < groups; ++g)
      axpy(1, group_gradients_[g].row(begin), item_gradients_.row(begin), (end - begin) * width);
  });
  if (loss_.joins_users())
    loss_.block_positives(
        {.negatives_per_row = 0,
         .positive_scores = positive_scores_,
         .negative_scores = {},
         .users = batch.users,
         .row_weights = row_weights_,
         .share = 1.0F / static_cast<float>(batch.size())},
        {.losses = losses_, .positive_slopes = positive_slopes_, .negative_slopes = {}});
}

// For losses without negatives.
void ScoreBlock::score_positives_alone(const Batch& batch) {
  std::fill_n(user_gradients_.data(), batch.size() * user_gradients_.stride(), 0.0F);
  std::fill(hardness_.begin(), hardness_.end(), 0.0);
  loss_.rows({.negatives_per_row = 0,
              .positive_scores = positive_scores_,
              .negative_scores = {},
              .users = batch.users,
              .row_weights = row_weights_,
              .share = 1.0F / static_cast<float>(batch.size())},
             {.losses = losses_, .positive_slopes = positive_slopes_, .negative_slopes = {}});
}

// Rows [begin, end) of the batch; adds to the gradients of the negatives, or overwrites them.
void ScoreBlock::score_rows(const Batch& batch, size_t begin, size_t end, Scratch& scratch,
                            float* gradients, bool onto) {
  const size_t rows = end - begin;
  scratch.panel.resize(kMostPanelRows * step_);
  float* panel = scratch.panel.data();
  const MatrixView users = matrix(rows_, begin, rows);
  gemm(users, to_scores_, panel, step_);
  for (size_t r = 0; r < rows; ++r) {
    mask_row(batch.users[begin + r], begin + r, panel + r * step_);
    if (hardest_ > 0) keep_hardest(begin + r, panel + r * step_, scratch);
  }
  const auto part = [&](auto values) {
    return values.empty() ? values : values.subspan(begin, rows);
  };
  loss_.block({.columns = count_,
               .step = step_,
               .positive_scores = part(std::span<const float>(positive_scores_)),
               .scores = {panel, rows * step_},
               .users = part(batch.users),
               .counts = part(std::span<const uint32_t>(counts_)),
               .weights = weights_,
               .log_weights = log_weights_,
               .weight_sums = part(std::span<const double>(weight_sums_)),
               .row_weights = part(row_weights_),
               .share = 1.0F / static_cast<float>(batch.size()),
               .losses = part(std::span(losses_)),
               .positive_slopes = part(std::span(positive_slopes_))});
  drop_empty_rows(begin, end, panel);
  const MatrixView slopes{panel, rows, count_, step_};
  gemm(slopes, to_users_, user_gradients_.row(begin), user_gradients_.stride());
  scratch.users.pack(users);
  gemm(slopes.transposed(), scratch.users, gradients, item_gradients_.stride(), onto);
}

void ScoreBlock::mask_row(uint32_t user, size_t b, float* scores) {
  auto count = static_cast<uint32_t>(count_);
  double sum = double{dot(rows_.row(b), negative_sum_.data(), negative_sum_.size())};
  double weights = weight_sum_;
  columns_.for_owned(user, [&](uint32_t j) {
    --count;
    sum -= double{scores[j]};
    if (!weights_.empty()) weights -= double{weights_[j]};
    scores[j] = kMasked;
  });
  counts_[b] = count;
  if (!weights_.empty()) weight_sums_[b] = weights;
  hardness_[b] = count == 0 ? 0 : sum / count - double{positive_scores_[b]};
}

// Masks all but the highest scores. Among equal ones, the first stay.
void ScoreBlock::keep_hardest(size_t b, float* scores, Scratch& scratch) {
  if (counts_[b] <= hardest_) return;
  scratch.sorted.assign(scores, scores + count_);
  const auto last = scratch.sorted.begin() + static_cast<ptrdiff_t>(hardest_ - 1);
  std::nth_element(scratch.sorted.begin(), last, scratch.sorted.end(), std::greater<>());
  const float threshold = *last;
  auto equal = static_cast<size_t>(std::count(scratch.sorted.begin(), last + 1, threshold));
  double sum = 0;
  double weights = 0;
  for (size_t j = 0; j < count_; ++j) {
    if (scores[j] > threshold || (scores[j] == threshold && equal > 0)) {
      equal -= scores[j] == threshold ? 1 : 0;
      sum += double{scores[j]};
      if (!weights_.empty()) weights += double{weights_[j]};
    } else {
      scores[j] = kMasked;
    }
  }
  counts_[b] = static_cast<uint32_t>(hardest_);
  if (!weights_.empty()) weight_sums_[b] = weights;
  hardness_[b] = sum / static_cast<double>(hardest_) - double{positive_scores_[b]};
}

// A row for which no negative counts has no loss.
void ScoreBlock::drop_empty_rows(size_t begin, size_t end, float* scores) {
  for (size_t b = begin; b < end; ++b) {
    if (counts_[b] > 0) continue;
    losses_[b] = 0;
    positive_slopes_[b] = 0;
    std::fill_n(scores + (b - begin) * step_, count_, 0.0F);
  }
}

double ScoreBlock::loss() const {
  return std::accumulate(losses_.begin(), losses_.end(), 0.0) / static_cast<double>(losses_.size());
}

double ScoreBlock::hardness() const {
  return std::accumulate(hardness_.begin(), hardness_.end(), 0.0) /
         static_cast<double>(hardness_.size());
}

}  // namespace divns
