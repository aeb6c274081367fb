// SPDX-License-Identifier: Apache-2.0
#include "train/scored_batch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "kernels/vectors.h"

namespace divns {
namespace {

constexpr size_t kGradientRowsPerChunk = 128;
constexpr size_t kGradientRowsAhead = 4;

bool is_plain(const Negatives& negatives) {
  if (negatives.free_vectors || negatives.terms_each != 1) return false;
  return std::all_of(negatives.terms.begin(), negatives.terms.end(),
                     [](const Term& term) { return term.hop == kEveryHop && term.weight == 1.0F; });
}

}  // namespace

ScoredBatch::ScoredBatch(const LossOptions& options, uint32_t dim, const Executor& executor)
    : options_(options),
      executor_(executor),
      formed_(0, dim),
      formed_ego_(0, dim),
      free_gradients_(0, dim) {}

ScoredRows ScoredBatch::positives(const Batch& batch, const EmbeddingView& view) const {
  if (options_.unit_items) return {formed_.view(), formed_ids_.data()};
  return {view.items, batch.positives.data()};
}

ScoredRows ScoredBatch::negatives_of(const Negatives& negatives, const EmbeddingView& view) const {
  if (plain_) return {view.items, negative_ids_.data()};
  if (negatives.free_vectors && !options_.unit_items)
    return {negatives.vectors.view(), formed_ids_.data()};
  return {formed_.view(), negative_ids_.data()};
}

const float* ScoredBatch::negative(const Negatives& negatives, const EmbeddingView& view,
                                   size_t number) const {
  return negatives_of(negatives, view)[number];
}

void ScoredBatch::normalise(size_t formed_row) {
  float* row = formed_.row(formed_row);
  const float norm = std::sqrt(dot(row, row, formed_.stride()));
  inverse_norms_[formed_row] = norm > 0 ? 1 / norm : 0;
  for (uint32_t k = 0; k < formed_.stride(); ++k) row[k] *= inverse_norms_[formed_row];
}

void ScoredBatch::form_negative(const Negatives& negatives, const EmbeddingView& view,
                                size_t number) {
  float* out = formed_.row(formed_negative(number));
  if (negatives.free_vectors) {
    std::copy_n(negatives.vectors.row(number), formed_.stride(), out);
    return;
  }
  float* ego = formed_ego_.row(number);
  std::fill_n(out, formed_.stride(), 0.0F);
  std::fill_n(ego, formed_.stride(), 0.0F);
  for (size_t t = 0; t < negatives.terms_each; ++t) {
    const Term& term = negatives.terms[number * negatives.terms_each + t];
    if (term.weight == 0) continue;
    if (term.hop == kEveryHop) {
      axpy(term.weight, view.items.row(term.item), out, formed_.stride());
    } else {
      const auto hop = static_cast<size_t>(term.hop);
      DIVNS_ASSERT(hop < view.item_hops.size());  // or the sampler lacks reads_single_hops()
      axpy(term.weight * view.pool_weights[hop], view.item_hops[hop].row(term.item), out,
           formed_.stride());
    }
    if (term.hop <= 0) axpy(term.weight, view.item_hops[0].row(term.item), ego, formed_.stride());
  }
}

void ScoredBatch::form(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                       size_t b) {
  if (options_.unit_items) {
    std::copy_n(view.items.row(batch.positives[b]), formed_.stride(), formed_.row(b));
    normalise(b);
  }
  for (size_t k = 0; k < negatives.per_row; ++k) {
    const size_t number = b * negatives.per_row + k;
    form_negative(negatives, view, number);
    if (options_.unit_items) normalise(formed_negative(number));
  }
}

void ScoredBatch::score(const Batch& batch, const Negatives& negatives, const EmbeddingView& view) {
  const size_t per_row = negatives.per_row;
  const size_t count = batch.size() * per_row;
  losses_.resize(batch.size());
  plain_ = !options_.unit_items && is_plain(negatives);
  negative_ids_.resize(count);
  if (plain_) {
    for (size_t n = 0; n < count; ++n) negative_ids_[n] = negatives.terms[n].item;
  } else {
    const auto formed = static_cast<uint32_t>(formed_negative(count));
    std::iota(negative_ids_.begin(), negative_ids_.end(),
              static_cast<uint32_t>(formed_negative(0)));
    formed_ids_.resize(formed);
    std::iota(formed_ids_.begin(), formed_ids_.end(), 0U);
    formed_.resize_rows(formed);
    formed_ego_.resize_rows(static_cast<uint32_t>(count));
    inverse_norms_.resize(formed);
  }
  positive_scores_.resize(batch.size());
  positive_slopes_.resize(batch.size());
  negative_scores_.resize(count);
  negative_slopes_.resize(count);

  const float share = 1.0F / static_cast<float>(batch.size());
  executor_.for_chunks(batch.size(), kGradientRowsPerChunk, [&](size_t begin, size_t end) {
    const ScoredRows positive = positives(batch, view);
    const ScoredRows negative = negatives_of(negatives, view);
    const size_t width = view.users.stride;
    for (size_t b = begin; b < end; ++b) {
      const size_t next = std::min(b + kGradientRowsAhead, end - 1);
      prefetch_floats(view.users.row(batch.users[next]), width);
      prefetch_floats(positive[next], width);
      prefetch_floats(negative[next * per_row], width);
      if (!plain_) form(batch, negatives, view, b);
      const float* user = view.users.row(batch.users[b]);
      positive_scores_[b] = dot(user, positive[b], width);
      const std::span slopes = std::span(negative_slopes_).subspan(b * per_row, per_row);
      for (size_t k = 0; k < per_row; ++k) {
        negative_scores_[b * per_row + k] = dot(user, negative[b * per_row + k], width);
        slopes[k] = negative_scores_[b * per_row + k] - positive_scores_[b];
      }
      std::span<const float> importance;
      if (negatives.loss == NegativeLoss::kWeighted)
        importance = std::span(negatives.importance).subspan(b * per_row, per_row);
      const float weight = negatives.row_weights.empty() ? 1.0F : negatives.row_weights[b];
      losses_[b] = double{weight} * row_loss(negatives.loss, slopes, importance, slopes);
      positive_slopes_[b] = 0;
      for (float& slope : slopes) {
        slope *= weight * share;
        positive_slopes_[b] -= slope;
      }
    }
  });
  loss_ = std::accumulate(losses_.begin(), losses_.end(), 0.0) * double{share};
  hardness_ =
      std::accumulate(negative_scores_.begin(), negative_scores_.end(), 0.0) /
          static_cast<double>(count) -
      std::accumulate(positive_scores_.begin(), positive_scores_.end(), 0.0) * double{share};
}

const Table& ScoredBatch::free_vector_gradients(const Batch& batch, const Negatives& negatives,
                                                const EmbeddingView& view) {
  const size_t count = batch.size() * negatives.per_row;
  free_gradients_.resize_rows(static_cast<uint32_t>(count));
  executor_.for_chunks(count, kGradientRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) {
      float* out = free_gradients_.row(n);
      std::fill_n(out, free_gradients_.stride(), 0.0F);
      const float* user = view.users.row(batch.users[n / negatives.per_row]);
      // Through v = x / |x|: dL/dx = (dL/dv - v (v . dL/dv)) / |x|.
      const float inverse = inverse_norm(formed_negative(n));
      axpy(negative_slopes_[n] * inverse, user, out, free_gradients_.stride());
      if (options_.unit_items)
        axpy(-negative_slopes_[n] * inverse * negative_scores_[n], formed_.row(formed_negative(n)),
             out, free_gradients_.stride());
    }
  });
  return free_gradients_;
}

}  // namespace divns
