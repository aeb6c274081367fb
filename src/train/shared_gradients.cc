// SPDX-License-Identifier: Apache-2.0
#include "train/shared_gradients.h"

#include <algorithm>
#include <numeric>

#include "kernels/vectors.h"

namespace divns {

// Of one worker, on separate cache lines.
struct alignas(128) SharedGradients::Scratch {
  WeightedRows vectors;
  WeightedRows gradients;
  AlignedVector<float> sum;
};

SharedGradients::SharedGradients(const ObjectiveOptions& options, const Loss& loss,
                                 const Interactions& train, uint32_t dim, int hops,
                                 const Executor& executor)
    : options_(options),
      hops_(hops),
      executor_(executor),
      block_(loss, train, dim, executor),
      uniformity_weight_(loss.uniformity_weight()),
      uniform_users_(dim, executor),
      uniform_positives_(dim, executor),
      own_items_(train.item_count),
      scratch_(static_cast<size_t>(executor.threads())) {
  for (RowGradients* side : {&users_, &items_}) {
    side->pooled = Table(0, dim);
    side->ego = Table(0, dim);
  }
}

SharedGradients::~SharedGradients() = default;

void SharedGradients::prepare(RowGradients& side, const Grouping& groups) const {
  const auto count = static_cast<uint32_t>(groups.rows().size());
  side.rows = groups.rows();
  side.slots = groups.slots();
  side.pooled.resize_rows(count);
  if (hops_ > 1) side.ego.resize_rows(count);
}

float* SharedGradients::ego_row(RowGradients& side, size_t slot) const {
  if (hops_ == 1) return side.pooled.row(slot);
  std::fill_n(side.ego.row(slot), side.ego.stride(), 0.0F);
  return side.ego.row(slot);
}

// dL/de_u = sum over the rows of the user of (slope_pos e_pos + dU_b).
void SharedGradients::sum_user(const Batch& batch, const Grouping& groups,
                               const EmbeddingView& view, const EmbeddingView& scored, size_t slot,
                               Scratch& scratch) {
  float* out = users_.pooled.row(slot);
  const size_t width = users_.pooled.stride();
  for (const uint32_t b : groups.entries(slot)) {
    scratch.vectors.add(batch.positives[b], block_.positive_slope(b));
    scratch.gradients.add(b, 1);
  }
  scratch.vectors.store(scored.items, out);
  scratch.gradients.add_to(block_.user_gradients().view(), out, scratch.sum);
  for (const uint32_t b : groups.entries(slot))
    if (uniformity_weight_ > 0)
      axpy(half_uniformity(), uniform_users_.gradients().row(b), out, width);
  const uint32_t user = groups.rows()[slot];
  if (options_.scales_users())
    through_unit_length(view.users.row(user), scored.users.row(user), out, width);
  squares_[slot] = penalty_.add_user(view.user_hops[0].row(user), groups.entries(slot).size(),
                                     ego_row(users_, slot), width);
}

// dL/de_i = sum of slope_pos e_u over the rows whose positive is the item, and of dV_j over the
// shared negatives that are the item.
void SharedGradients::sum_item(const Batch& batch, const Grouping& groups,
                               const EmbeddingView& view, const EmbeddingView& scored, size_t slot,
                               Scratch& scratch) {
  float* out = items_.pooled.row(slot);
  const size_t width = items_.pooled.stride();
  size_t as_positive = 0;
  double as_negative = 0;
  for (const uint32_t entry : groups.entries(slot)) {
    if (entry < batch.size()) {
      scratch.vectors.add(batch.users[entry], block_.positive_slope(entry));
      ++as_positive;
    } else {
      scratch.gradients.add(static_cast<uint32_t>(entry - batch.size()), 1);
      ++as_negative;
    }
  }
  scratch.vectors.store(scored.users, out);
  scratch.gradients.add_to(block_.item_gradients().view(), out, scratch.sum);
  for (const uint32_t entry : groups.entries(slot))
    if (uniformity_weight_ > 0 && entry < batch.size())
      axpy(half_uniformity(), uniform_positives_.gradients().row(entry), out, width);
  const uint32_t item = groups.rows()[slot];
  if (options_.scales_items())
    through_unit_length(view.items.row(item), scored.items.row(item), out, width);
  squares_[users_.rows.size() + slot] = penalty_.add_item(
      view.item_hops[0].row(item), as_positive, as_negative, ego_row(items_, slot), width);
}

// Positives, then shared negatives.
const Grouping& SharedGradients::item_groups(const Batch& batch, std::span<const uint32_t> shared,
                                             const Grouping& read) {
  item_keys_.assign(batch.positives.begin(), batch.positives.end());
  item_keys_.insert(item_keys_.end(), shared.begin(), shared.end());
  if (std::ranges::equal(item_keys_, read.keys())) return read;
  own_items_.group(item_keys_);
  return own_items_;
}

void SharedGradients::compute(const Batch& batch, const Negatives& negatives,
                              const EmbeddingView& view, const EmbeddingView& scored,
                              const Grouping& users, const Grouping& read_items) {
  const Grouping& items = item_groups(batch, negatives.shared.items, read_items);
  block_.compute(batch, negatives.shared, negatives.row_weights, scored.users, scored.items);
  if (uniformity_weight_ > 0) {
    uniform_users_.compute(block_.users());
    uniform_positives_.compute(block_.positives());
    uniformity_ = uniformity_weight_ * (uniform_users_.value() + uniform_positives_.value()) / 2;
  }
  penalty_ = Penalty(options_, batch.size());
  prepare(users_, users);
  prepare(items_, items);
  squares_.resize(users_.rows.size() + items_.rows.size());
  constexpr size_t kSlotsPerChunk = 64;
  const auto chunks_of = [](size_t n) { return (n + kSlotsPerChunk - 1) / kSlotsPerChunk; };
  const size_t user_chunks = chunks_of(users_.rows.size());
  executor_.run(user_chunks + chunks_of(items_.rows.size()), [&](int worker, size_t chunk) {
    Scratch& scratch = scratch_[static_cast<size_t>(worker)];
    const bool is_user = chunk < user_chunks;
    const size_t count = is_user ? users_.rows.size() : items_.rows.size();
    const size_t begin = (is_user ? chunk : chunk - user_chunks) * kSlotsPerChunk;
    for (size_t slot = begin; slot < std::min(begin + kSlotsPerChunk, count); ++slot) {
      if (is_user)
        sum_user(batch, users, view, scored, slot, scratch);
      else
        sum_item(batch, items, view, scored, slot, scratch);
    }
  });
  regulariser_ = penalty_.loss(std::accumulate(squares_.begin(), squares_.end(), 0.0));
}

}  // namespace divns
