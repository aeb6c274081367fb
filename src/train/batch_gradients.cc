// SPDX-License-Identifier: Apache-2.0
#include "train/batch_gradients.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/vectors.h"
#include "train/loss.h"

namespace divns {
namespace {

constexpr size_t kGradientRowsPerChunk = 128;
constexpr size_t kGradientRowsAhead = 4;

double square(const float* row, size_t n) {
  return double{dot(row, row, n)};
}

bool is_plain(const Negatives& negatives) {
  if (negatives.free_vectors || negatives.terms_each != 1) return false;
  return std::all_of(negatives.terms.begin(), negatives.terms.end(),
                     [](const Term& term) { return term.hop == kEveryHop && term.weight == 1.0F; });
}

}  // namespace

// Vectors by number: row ids[j] of a table.
struct BatchGradients::Rows {
  VectorTable table;
  const uint32_t* ids;

  const float* operator[](size_t j) const { return table.row(ids[j]); }
};

// A weighted sum of rows in the making; one set a worker.
struct BatchGradients::Scratch {
  struct Sum {
    std::vector<uint32_t> ids;
    std::vector<float> weights;

    void add(uint32_t id, float weight) {
      ids.push_back(id);
      weights.push_back(weight);
    }
    void store(const VectorTable& table, float* out) {
      gather_sum(table, ids.data(), weights.data(), ids.size(), out);
      ids.clear();
      weights.clear();
    }
    void add_to(const VectorTable& table, float* out, AlignedVector<float>& sum) {
      if (ids.empty()) return;
      sum.resize(table.stride);
      store(table, sum.data());
      axpy(1, sum.data(), out, table.stride);
    }
  };
  Sum first;
  Sum second;
  Sum ego;
  AlignedVector<float> row;
};

BatchGradients::BatchGradients(const LossOptions& options, uint32_t users, uint32_t items,
                               uint32_t dim, int hops, const Executor& executor)
    : options_(options),
      hops_(hops),
      executor_(executor),
      formed_(0, dim),
      formed_ego_(0, dim),
      user_groups_(users),
      item_groups_(items),
      free_gradients_(0, dim),
      scratch_(static_cast<size_t>(executor.threads())) {
  for (RowGradients* side : {&users_, &items_}) {
    side->pooled = Table(0, dim);
    side->ego = Table(0, dim);
  }
}

BatchGradients::~BatchGradients() = default;

BatchGradients::Rows BatchGradients::positives(const Batch& batch,
                                               const EmbeddingView& view) const {
  if (options_.unit_items) return {formed_.view(), formed_ids_.data()};
  return {view.items, batch.positives.data()};
}

BatchGradients::Rows BatchGradients::negatives_of(const Negatives& negatives,
                                                  const EmbeddingView& view) const {
  if (plain_) return {view.items, negative_ids_.data()};
  if (negatives.free_vectors && !options_.unit_items)
    return {negatives.vectors.view(), formed_ids_.data()};
  return {formed_.view(), negative_ids_.data()};
}

const float* BatchGradients::negative(const Negatives& negatives, const EmbeddingView& view,
                                      size_t number) const {
  return negatives_of(negatives, view)[number];
}

void BatchGradients::normalise(size_t formed_row) {
  float* row = formed_.row(formed_row);
  const float norm = std::sqrt(dot(row, row, formed_.stride()));
  inverse_norms_[formed_row] = norm > 0 ? 1 / norm : 0;
  for (uint32_t k = 0; k < formed_.stride(); ++k) row[k] *= inverse_norms_[formed_row];
}

void BatchGradients::form_negative(const Negatives& negatives, const EmbeddingView& view,
                                   size_t number) {
  float* out = formed_.row(batch_rows_ + number);
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
      axpy(term.weight * view.pool_weights[hop], view.item_hops[hop].row(term.item), out,
           formed_.stride());
    }
    if (term.hop <= 0) axpy(term.weight, view.item_hops[0].row(term.item), ego, formed_.stride());
  }
}

void BatchGradients::form(const Batch& batch, const Negatives& negatives, const EmbeddingView& view,
                          size_t b) {
  if (options_.unit_items) {
    std::copy_n(view.items.row(batch.positives[b]), formed_.stride(), formed_.row(b));
    normalise(b);
  }
  for (size_t k = 0; k < negatives.per_row; ++k) {
    const size_t number = b * negatives.per_row + k;
    form_negative(negatives, view, number);
    if (options_.unit_items) normalise(batch_rows_ + number);
  }
}

void BatchGradients::score(const Batch& batch, const Negatives& negatives,
                           const EmbeddingView& view) {
  const size_t per_row = negatives.per_row;
  const size_t count = batch.size() * per_row;
  batch_rows_ = batch.size();
  plain_ = !options_.unit_items && is_plain(negatives);
  negative_ids_.resize(count);
  if (plain_) {
    for (size_t n = 0; n < count; ++n) negative_ids_[n] = negatives.terms[n].item;
  } else {
    const auto formed = static_cast<uint32_t>(batch_rows_ + count);
    std::iota(negative_ids_.begin(), negative_ids_.end(), static_cast<uint32_t>(batch_rows_));
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
  losses_.resize(batch.size());

  const float share = 1.0F / static_cast<float>(batch.size());
  executor_.for_chunks(batch.size(), kGradientRowsPerChunk, [&](size_t begin, size_t end) {
    const Rows positive = positives(batch, view);
    const Rows negative = negatives_of(negatives, view);
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
  ranking_loss_ = std::accumulate(losses_.begin(), losses_.end(), 0.0) * double{share};
  hardness_ =
      std::accumulate(negative_scores_.begin(), negative_scores_.end(), 0.0) /
          static_cast<double>(count) -
      std::accumulate(positive_scores_.begin(), positive_scores_.end(), 0.0) * double{share};
}

const Table& BatchGradients::free_vector_gradients(const Batch& batch, const Negatives& negatives,
                                                   const EmbeddingView& view) {
  const size_t count = batch.size() * negatives.per_row;
  free_gradients_.resize_rows(static_cast<uint32_t>(count));
  executor_.for_chunks(count, kGradientRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) {
      float* out = free_gradients_.row(n);
      std::fill_n(out, free_gradients_.stride(), 0.0F);
      const float* user = view.users.row(batch.users[n / negatives.per_row]);
      // Through v = x / |x|: dL/dx = (dL/dv - v (v . dL/dv)) / |x|.
      const float inverse = options_.unit_items ? inverse_norms_[batch_rows_ + n] : 1.0F;
      axpy(negative_slopes_[n] * inverse, user, out, free_gradients_.stride());
      if (options_.unit_items)
        axpy(-negative_slopes_[n] * inverse * negative_scores_[n], formed_.row(batch_rows_ + n),
             out, free_gradients_.stride());
    }
  });
  return free_gradients_;
}

// Users: entry b is row b of the batch, entry B + e is extra gradient e. Items: entry b is the
// positive of row b, entry B + t is term t, and after the terms come the extra gradients.
void BatchGradients::list_entries(const Batch& batch, const Negatives& negatives,
                                  const ExtraGradients& extra) {
  user_keys_.assign(batch.users.begin(), batch.users.end());
  user_entries_.resize(batch.size());
  std::iota(user_entries_.begin(), user_entries_.end(), 0U);
  item_keys_.assign(batch.positives.begin(), batch.positives.end());
  item_entries_ = user_entries_;
  auto entry = static_cast<uint32_t>(batch.size());
  for (const Term& term : negatives.terms) {
    if (term.weight != 0) {
      item_keys_.push_back(term.item);
      item_entries_.push_back(entry);
    }
    ++entry;
  }
  for (size_t e = 0; e < extra.targets.size(); ++e) {
    const bool is_user = extra.targets[e].side == GradientTarget::Side::kUser;
    (is_user ? user_keys_ : item_keys_).push_back(extra.targets[e].row);
    (is_user ? user_entries_ : item_entries_)
        .push_back(static_cast<uint32_t>((is_user ? batch.size() : entry) + e));
  }
}

void BatchGradients::prepare(RowGradients& side, const Grouping& groups, bool by_hop) const {
  const auto count = static_cast<uint32_t>(groups.rows().size());
  side.rows = groups.rows();
  side.slots = groups.slots();
  side.pooled.resize_rows(count);
  if (hops_ > 1) side.ego.resize_rows(count);
  side.hops.resize(by_hop ? static_cast<size_t>(hops_) : 0, Table(0, side.pooled.dim()));
  for (Table& hop : side.hops) {
    hop.resize_rows(count);
    std::fill_n(hop.data(), size_t{count} * hop.stride(), 0.0F);
  }
}

float* BatchGradients::ego_row(RowGradients& side, size_t slot) const {
  if (hops_ == 1) return side.pooled.row(slot);
  std::fill_n(side.ego.row(slot), side.ego.stride(), 0.0F);
  return side.ego.row(slot);
}

void BatchGradients::add_extra(const ExtraGradients& extra, size_t entry, size_t slot,
                               RowGradients& side) const {
  const int32_t hop = extra.targets[entry].hop;
  float* out = hop == kEveryHop || hops_ == 1 ? side.pooled.row(slot)
                                              : side.hops[static_cast<size_t>(hop)].row(slot);
  axpy(1, extra.vectors.row(entry), out, side.pooled.stride());
}

void BatchGradients::sum_user(const Batch& batch, const Negatives& negatives,
                              const EmbeddingView& view, const ExtraGradients& extra, size_t slot,
                              Scratch& scratch) {
  const Rows positive = positives(batch, view);
  const Rows negative = negatives_of(negatives, view);
  const bool one_table = positive.table.data == negative.table.data;
  const std::span<const uint32_t> group = user_groups_.entries(slot);
  size_t rows = 0;
  // dL/de_u = sum over its rows: sum_k slope_k neg_k + slope_pos pos.
  for (const uint32_t key : group) {
    const size_t b = user_entries_[key];
    if (b >= batch.size()) continue;
    ++rows;
    for (size_t k = 0; k < negatives.per_row; ++k) {
      const size_t n = b * negatives.per_row + k;
      scratch.first.add(negative.ids[n], negative_slopes_[n]);
    }
    (one_table ? scratch.first : scratch.second).add(positive.ids[b], positive_slopes_[b]);
  }
  float* out = users_.pooled.row(slot);
  scratch.first.store(negative.table, out);
  scratch.second.add_to(positive.table, out, scratch.row);
  for (const uint32_t key : group)
    if (user_entries_[key] >= batch.size())
      add_extra(extra, user_entries_[key] - batch.size(), slot, users_);

  const float* ego = view.user_hops[0].row(user_groups_.rows()[slot]);
  const double l2 = options_.l2 / static_cast<double>(batch.size());
  axpy(static_cast<float>(l2 * static_cast<double>(rows)), ego, ego_row(users_, slot),
       users_.pooled.stride());
  squares_[slot] = static_cast<double>(rows) * square(ego, users_.pooled.stride());
}

void BatchGradients::sum_item(const Batch& batch, const Negatives& negatives,
                              const EmbeddingView& view, const ExtraGradients& extra, size_t slot,
                              Scratch& scratch) {
  const size_t terms = negatives.terms.size();
  const auto by_pool = [this](const Term& term) { return term.hop == kEveryHop || hops_ == 1; };
  const std::span<const uint32_t> group = item_groups_.entries(slot);
  const auto l2 = static_cast<float>(options_.l2 / static_cast<double>(batch.size()));
  float* out = items_.pooled.row(slot);
  size_t alone = 0;  // times that this item's own hop-0 vector is regularised
  // Row `formed` of formed_ was scored for user `user` with this slope, and a share of it is this
  // item: dL/de = share slope e_u, through the normalisation where there is one.
  const auto add_scored = [&](uint32_t user, size_t formed, float slope, float score) {
    const float inverse = options_.unit_items ? inverse_norms_[formed] : 1.0F;
    scratch.first.add(user, slope * inverse);
    if (options_.unit_items)
      scratch.second.add(static_cast<uint32_t>(formed), -slope * inverse * score);
  };
  for (const uint32_t key : group) {
    const size_t entry = item_entries_[key];
    if (entry < batch.size()) {
      add_scored(batch.users[entry], entry, positive_slopes_[entry], positive_scores_[entry]);
      ++alone;
    } else if (entry < batch.size() + terms) {
      const Term& term = negatives.terms[entry - batch.size()];
      const size_t n = (entry - batch.size()) / negatives.terms_each;
      const float slope = negative_slopes_[n] * term.weight;
      if (by_pool(term))
        add_scored(batch.users[n / negatives.per_row], batch_rows_ + n, slope, negative_scores_[n]);
      if (term.hop > 0) continue;
      if (plain_ || options_.regularise_parts)
        ++alone;
      else
        scratch.ego.add(static_cast<uint32_t>(n), l2 * term.weight);
    }
  }
  scratch.first.store(view.users, out);
  scratch.second.add_to(formed_.view(), out, scratch.row);
  for (const uint32_t key : group) {
    const size_t entry = item_entries_[key];
    if (entry >= batch.size() + terms) {
      add_extra(extra, entry - batch.size() - terms, slot, items_);
    } else if (entry >= batch.size()) {
      const Term& term = negatives.terms[entry - batch.size()];
      if (by_pool(term)) continue;
      const auto hop = static_cast<size_t>(term.hop);
      const size_t n = (entry - batch.size()) / negatives.terms_each;
      const float slope = negative_slopes_[n] * term.weight * view.pool_weights[hop];
      const size_t formed = batch_rows_ + n;
      const float inverse = options_.unit_items ? inverse_norms_[formed] : 1.0F;
      float* hop_out = items_.hops[hop].row(slot);
      axpy(slope * inverse, view.users.row(batch.users[n / negatives.per_row]), hop_out,
           items_.pooled.stride());
      if (options_.unit_items)
        axpy(-slope * inverse * negative_scores_[n], formed_.row(formed), hop_out,
             items_.pooled.stride());
    }
  }

  const float* ego = view.item_hops[0].row(item_groups_.rows()[slot]);
  float* ego_out = ego_row(items_, slot);
  axpy(l2 * static_cast<float>(alone), ego, ego_out, items_.pooled.stride());
  scratch.ego.add_to(formed_ego_.view(), ego_out, scratch.row);
  squares_[users_.rows.size() + slot] =
      static_cast<double>(alone) * square(ego, items_.pooled.stride());
}

void BatchGradients::accumulate(const Batch& batch, const Negatives& negatives,
                                const EmbeddingView& view, const ExtraGradients& extra) {
  list_entries(batch, negatives, extra);
  executor_.run(2, [&](int, size_t side) {
    if (side == 0)
      user_groups_.group(user_keys_);
    else
      item_groups_.group(item_keys_);
  });
  const auto names_hop = [](const auto& what) { return what.hop != kEveryHop; };
  const bool by_hop =
      hops_ > 1 &&
      ((!plain_ && std::any_of(negatives.terms.begin(), negatives.terms.end(), names_hop)) ||
       std::any_of(extra.targets.begin(), extra.targets.end(), names_hop));
  prepare(users_, user_groups_, by_hop);
  prepare(items_, item_groups_, by_hop);
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
        sum_user(batch, negatives, view, extra, slot, scratch);
      else
        sum_item(batch, negatives, view, extra, slot, scratch);
    }
  });

  double squares = std::accumulate(squares_.begin(), squares_.end(), 0.0);
  if (!plain_ && !options_.regularise_parts && !negatives.free_vectors)
    for (size_t n = 0; n < negative_ids_.size(); ++n)
      squares += square(formed_ego_.row(n), formed_ego_.stride());
  regulariser_ = options_.l2 / (2 * static_cast<double>(batch.size())) * squares;
}

}  // namespace divns
