// SPDX-License-Identifier: Apache-2.0
#include "train/scored_batch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "kernels/vectors.h"
#include "numerics/unit_rows.h"

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

ScoredBatch::ScoredBatch(const ObjectiveOptions& options, const Loss& loss, uint32_t dim,
                         const Executor& executor)
    : options_(options),
      loss_(loss),
      executor_(executor),
      formed_(0, dim),
      formed_ego_(0, dim),
      broadcast_(dim, executor),
      free_gradients_(0, dim) {}

ScoredRows ScoredBatch::positives(const Batch& batch) const {
  if (options_.forms_positives()) return {formed_.view(), formed_ids_.data()};
  return {scored_.items, batch.positives.data()};
}

ScoredRows ScoredBatch::negatives_of(const Negatives& negatives) const {
  if (plain_) return {scored_.items, negative_ids_.data()};
  if (negatives.free_vectors && !options_.scales_items())
    return {negatives.vectors.view(), formed_ids_.data()};
  return {formed_.view(), negative_ids_.data()};
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
  if (options_.forms_positives()) {
    std::copy_n(view.items.row(batch.positives[b]), formed_.stride(), formed_.row(b));
    inverse_norms_[b] = unit_row(formed_.row(b), formed_.row(b), formed_.stride());
  }
  for (size_t k = 0; k < negatives.per_row; ++k) {
    const size_t number = b * negatives.per_row + k;
    form_negative(negatives, view, number);
    const size_t formed = formed_negative(number);
    if (options_.scales_items())
      inverse_norms_[formed] = unit_row(formed_.row(formed), formed_.row(formed), formed_.stride());
  }
}

void ScoredBatch::score(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                        const EmbeddingView& scored) {
  scored_ = scored;
  const size_t per_row = negatives.per_row;
  const size_t count = batch.size() * per_row;
  rows_.resize(batch.size(), per_row);
  plain_ = !options_.forms_positives() && is_plain(negatives);
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

  const float share = 1.0F / static_cast<float>(batch.size());
  const bool broadcasts = options_.broadcast_loss && negatives.broadcasts;
  const bool whole_batch = broadcasts || loss_.joins_users();
  executor_.for_chunks(batch.size(), kGradientRowsPerChunk, [&](size_t begin, size_t end) {
    const ScoredRows user = users(batch);
    const ScoredRows positive = positives(batch);
    const ScoredRows negative = negatives_of(negatives);
    const size_t width = view.users.stride;
    for (size_t b = begin; b < end; ++b) {
      const size_t next = std::min(b + kGradientRowsAhead, end - 1);
      prefetch_floats(user[next], width);
      prefetch_floats(positive[next], width);
      prefetch_floats(negative[next * per_row], width);
      if (!plain_) form(batch, negatives, view, b);
      rows_.score(
          b, batch.users[b], user[b], positive[b],
          [&](size_t k) { return negative[b * per_row + k]; }, width);
    }
    if (!whole_batch)
      rows_.apply(loss_, begin, end, share, negatives.importance, negatives.row_weights);
  });
  has_seconds_ = false;
  if (broadcasts)
    broadcast(batch, negatives, view, share);
  else if (whole_batch)  // the rows of a user are anywhere in the batch
    rows_.apply(loss_, 0, batch.size(), share, negatives.importance, negatives.row_weights);
  totals_ = rows_.totals();
}

// A formed row becomes a_bk + mean_bk, the derivative of its score by the user, so that the sums
// over users and first items are those of any other batch.
void ScoredBatch::broadcast(const Batch& batch, const Negatives& negatives,
                            const EmbeddingView& view, float share) {
  const size_t per_row = negatives.per_row;
  has_seconds_ = broadcast_.score(batch, negatives, view.users, view.items);
  const float log_rows = std::log(static_cast<float>(batch.size()));
  for (size_t n = 0; n < batch.size() * per_row; ++n) {
    if (!has_seconds_) {
      rows_.set_negative_score(n, rows_.negative_score(n) + log_rows);
      continue;
    }
    const size_t entry = n % per_row * batch.size() + n / per_row;
    const Term& first = negatives.terms[n * negatives.terms_each];
    const float* item = view.items.row(first.item);
    const float own =
        first.weight * dot(view.users.row(batch.users[n / per_row]), item, view.users.stride);
    rows_.set_negative_score(n, own + broadcast_.log_sum(entry));
    float* formed = formed_.row(formed_negative(n));
    std::copy_n(broadcast_.mean(entry), formed_.stride(), formed);
    axpy(first.weight, item, formed, formed_.stride());
  }
  rows_.apply(loss_, 0, batch.size(), share, negatives.importance, negatives.row_weights);
  if (!has_seconds_) return;
  slopes_.resize(batch.size() * per_row);
  for (size_t n = 0; n < slopes_.size(); ++n) slopes_[n] = rows_.negative_slope(n);
  broadcast_.send_back(slopes_);
}

const Table& ScoredBatch::free_vector_gradients(const Batch& batch, const Negatives& negatives) {
  const size_t count = batch.size() * negatives.per_row;
  free_gradients_.resize_rows(static_cast<uint32_t>(count));
  const ScoredRows scored_users = users(batch);
  executor_.for_chunks(count, kGradientRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) {
      float* out = free_gradients_.row(n);
      std::fill_n(out, free_gradients_.stride(), 0.0F);
      const float* user = scored_users[n / negatives.per_row];
      // Through v = x / |x|: dL/dx = (dL/dv - v (v . dL/dv)) / |x|.
      const float inverse = inverse_norm(formed_negative(n));
      axpy(rows_.negative_slope(n) * inverse, user, out, free_gradients_.stride());
      if (options_.scales_items())
        axpy(-rows_.negative_slope(n) * inverse * rows_.negative_score(n),
             formed_.row(formed_negative(n)), out, free_gradients_.stride());
    }
  });
  return free_gradients_;
}

}  // namespace divns
