// SPDX-License-Identifier: Apache-2.0
#include "train/batch_gradients.h"

#include <algorithm>
#include <numeric>

#include "kernels/vectors.h"

namespace divns {
namespace {

// If the sampler reads exactly the rows that it chooses, the trainer has already grouped these
// keys.
const Grouping* grouped(std::span<const uint32_t> keys, const Grouping* known, Grouping& own) {
  if (known != nullptr && std::ranges::equal(keys, known->keys())) return known;
  own.group(keys);
  return &own;
}

}  // namespace

// Scratch of one worker, on separate cache lines.
struct alignas(128) BatchGradients::Scratch {
  WeightedRows first;
  WeightedRows second;
  WeightedRows unit;
  WeightedRows ego;
  WeightedRows seconds;
  WeightedRows sums;
  AlignedVector<float> row;
};

BatchGradients::BatchGradients(const ObjectiveOptions& options, const Loss& loss, uint32_t users,
                               uint32_t items, uint32_t dim, int hops, const Executor& executor)
    : options_(options),
      broadcast_penalty_(dim),
      hops_(hops),
      executor_(executor),
      scored_(options, loss, dim, executor),
      own_user_groups_(users),
      own_item_groups_(items),
      scratch_(static_cast<size_t>(executor.threads())) {
  for (RowGradients* side : {&users_, &items_}) {
    side->pooled = Table(0, dim);
    side->ego = Table(0, dim);
  }
}

BatchGradients::~BatchGradients() = default;

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

double BatchGradients::add_negative_penalty(const Negatives& negatives, size_t n, size_t t,
                                            size_t rows, Scratch& scratch) const {
  const float weight = negatives.terms[n * negatives.terms_each + t].weight;
  if (broadcasts_penalty_) {
    if (negatives.terms_each == 2)
      scratch.sums.add(BroadcastPenalty::other_part(n % negatives.per_row, t),
                       penalty_.mixed_factor() * weight);
    return static_cast<double>(rows) * double{weight} * double{weight};
  }
  if (scored_.plain() || options_.regularise_parts) return 1;
  scratch.ego.add(static_cast<uint32_t>(n), penalty_.mixed_factor() * weight);
  return 0;
}

void BatchGradients::sum_user(const Batch& batch, const Negatives& negatives,
                              const EmbeddingView& view, const ExtraGradients& extra, size_t slot,
                              Scratch& scratch) {
  const ScoredRows positive = scored_.positives(batch);
  const ScoredRows negative = scored_.negatives_of(negatives);
  const bool one_table = positive.table.data == negative.table.data;
  const std::span<const uint32_t> group = user_groups_->entries(slot);
  size_t rows = 0;
  for (const uint32_t key : group) {
    const size_t b = user_entries_[key];
    if (b >= batch.size()) continue;
    ++rows;
    add_user_terms(scored_.rows(), b, negative.ids + b * negatives.per_row, positive.ids[b],
                   scratch.first, one_table ? scratch.first : scratch.second);
  }
  float* out = users_.pooled.row(slot);
  scratch.first.store(negative.table, out);
  scratch.second.add_to(positive.table, out, scratch.row);
  const uint32_t user = user_groups_->rows()[slot];
  if (options_.scales_users() && rows > 0)
    through_unit_length(view.users.row(user), scored_.scored_view().users.row(user), out,
                        users_.pooled.stride());
  for (const uint32_t key : group)
    if (user_entries_[key] >= batch.size())
      add_extra(extra, user_entries_[key] - batch.size(), slot, users_);

  const float* ego = view.user_hops[0].row(user);
  squares_[slot] = penalty_.add_user(ego, rows, ego_row(users_, slot), users_.pooled.stride());
}

void BatchGradients::sum_item(const Batch& batch, const Negatives& negatives,
                              const EmbeddingView& view, const ExtraGradients& extra, size_t slot,
                              Scratch& scratch) {
  const size_t terms = negatives.terms.size();
  const auto by_pool = [this](const Term& term) { return term.hop == kEveryHop || hops_ == 1; };
  const std::span<const uint32_t> group = item_groups_->entries(slot);
  const RowScores& scores = scored_.rows();
  const Table* seconds = scored_.second_gradients();
  const ScoredRows users = scored_.users(batch);
  float* out = items_.pooled.row(slot);
  // How often the penalty counts the hop-0 vector of this item.
  size_t as_positive = 0;
  double as_negative = 0;
  // What was scored for the user of batch row b with this slope is this item, or has a share of it:
  // dL/de = share slope e_u, through the normalisation where there is one. For cosines, an item by
  // itself was scored as a row of unit length; that normalisation is applied once, to the sum.
  // Otherwise what was scored is row `formed` of what was formed.
  const auto add_scored = [&](size_t b, bool by_itself, size_t formed, float slope, float score) {
    if (by_itself && options_.scales_users()) {
      scratch.unit.add(users.ids[b], slope);
      return;
    }
    const float inverse = scored_.inverse_norm(formed);
    scratch.first.add(users.ids[b], slope * inverse);
    if (options_.scales_items())
      scratch.second.add(static_cast<uint32_t>(formed), -slope * inverse * score);
  };
  for (const uint32_t key : group) {
    const size_t entry = item_entries_[key];
    if (entry < batch.size()) {
      add_scored(entry, true, entry, scores.positive_slope(entry), scores.positive_score(entry));
      ++as_positive;
    } else if (entry < batch.size() + terms) {
      const Term& term = negatives.terms[entry - batch.size()];
      const size_t n = (entry - batch.size()) / negatives.terms_each;
      const float slope = scores.negative_slope(n) * term.weight;
      const size_t t = (entry - batch.size()) % negatives.terms_each;
      if (t == 1 && seconds != nullptr)
        scratch.seconds.add(
            static_cast<uint32_t>(n % negatives.per_row * batch.size() + n / negatives.per_row),
            term.weight);
      else if (by_pool(term))
        add_scored(n / negatives.per_row, scored_.plain(), scored_.formed_negative(n), slope,
                   scores.negative_score(n));
      if (term.hop <= 0)
        as_negative += add_negative_penalty(negatives, n, t, batch.size(), scratch);
    }
  }
  scratch.first.store(users.table, out);
  scratch.second.add_to(scored_.formed().view(), out, scratch.row);
  if (seconds != nullptr) scratch.seconds.add_to(seconds->view(), out, scratch.row);
  const uint32_t item = item_groups_->rows()[slot];
  if (!scratch.unit.empty()) {
    scratch.row.resize(items_.pooled.stride());
    scratch.unit.store(users.table, scratch.row.data());
    through_unit_length(view.items.row(item), scored_.scored_view().items.row(item),
                        scratch.row.data(), items_.pooled.stride());
    axpy(1, scratch.row.data(), out, items_.pooled.stride());
  }
  for (const uint32_t key : group) {
    const size_t entry = item_entries_[key];
    if (entry >= batch.size() + terms) {
      add_extra(extra, entry - batch.size() - terms, slot, items_);
    } else if (entry >= batch.size()) {
      const Term& term = negatives.terms[entry - batch.size()];
      if (by_pool(term)) continue;
      const auto hop = static_cast<size_t>(term.hop);
      const size_t n = (entry - batch.size()) / negatives.terms_each;
      const float slope = scores.negative_slope(n) * term.weight * view.pool_weights[hop];
      const size_t formed = scored_.formed_negative(n);
      const float inverse = scored_.inverse_norm(formed);
      float* hop_out = items_.hops[hop].row(slot);
      axpy(slope * inverse, users[n / negatives.per_row], hop_out, items_.pooled.stride());
      if (options_.scales_items())
        axpy(-slope * inverse * scores.negative_score(n), scored_.formed().row(formed), hop_out,
             items_.pooled.stride());
    }
  }

  const float* ego = view.item_hops[0].row(item);
  float* ego_out = ego_row(items_, slot);
  squares_[users_.rows.size() + slot] =
      penalty_.add_item(ego, as_positive, as_negative, ego_out, items_.pooled.stride());
  scratch.ego.add_to(scored_.formed_ego().view(), ego_out, scratch.row);
  scratch.sums.add_to(broadcast_penalty_.sums().view(), ego_out, scratch.row);
}

// Prefetches for the first entry only: most rows have few.
void BatchGradients::prefetch_user(const Batch& batch, const Negatives& negatives,
                                   const EmbeddingView& view, size_t slot) const {
  const size_t width = users_.pooled.stride();
  prefetch_floats(view.user_hops[0].row(user_groups_->rows()[slot]), width);
  const size_t b = user_entries_[user_groups_->entries(slot)[0]];
  if (b >= batch.size()) return;
  prefetch_floats(scored_.positives(batch)[b], width);
  prefetch_floats(scored_.negative(negatives, b * negatives.per_row), width);
}

void BatchGradients::prefetch_item(const Batch& batch, const Negatives& negatives,
                                   const EmbeddingView& view, size_t slot) const {
  const size_t width = users_.pooled.stride();
  prefetch_floats(view.item_hops[0].row(item_groups_->rows()[slot]), width);
  size_t b = item_entries_[item_groups_->entries(slot)[0]];
  if (b >= batch.size()) {
    const size_t term = b - batch.size();
    if (term >= negatives.terms.size()) return;
    b = term / (negatives.terms_each * negatives.per_row);
  }
  prefetch_floats(scored_.users(batch)[b], width);
}

void BatchGradients::accumulate(const Batch& batch, const Negatives& negatives,
                                const EmbeddingView& view, const ExtraGradients& extra,
                                const KnownGroupings& known) {
  penalty_ = Penalty(options_, batch.size());
  broadcasts_penalty_ = options_.broadcast_regulariser && negatives.broadcasts;
  if (broadcasts_penalty_) broadcast_penalty_.sum(negatives, view.item_hops[0]);
  list_entries(batch, negatives, extra);
  user_groups_ = grouped(user_keys_, known.users, own_user_groups_);
  item_groups_ = grouped(item_keys_, known.items, own_item_groups_);
  const auto names_hop = [](const auto& what) { return what.hop != kEveryHop; };
  const bool by_hop =
      hops_ > 1 && ((!scored_.plain() &&
                     std::any_of(negatives.terms.begin(), negatives.terms.end(), names_hop)) ||
                    std::any_of(extra.targets.begin(), extra.targets.end(), names_hop));
  prepare(users_, *user_groups_, by_hop);
  prepare(items_, *item_groups_, by_hop);
  squares_.resize(users_.rows.size() + items_.rows.size());

  constexpr size_t kSlotsPerChunk = 64;
  constexpr size_t kSlotsAhead = 3;
  const auto chunks_of = [](size_t n) { return (n + kSlotsPerChunk - 1) / kSlotsPerChunk; };
  const size_t user_chunks = chunks_of(users_.rows.size());
  executor_.run(user_chunks + chunks_of(items_.rows.size()), [&](int worker, size_t chunk) {
    Scratch& scratch = scratch_[static_cast<size_t>(worker)];
    const bool is_user = chunk < user_chunks;
    const size_t count = is_user ? users_.rows.size() : items_.rows.size();
    const size_t begin = (is_user ? chunk : chunk - user_chunks) * kSlotsPerChunk;
    for (size_t slot = begin; slot < std::min(begin + kSlotsPerChunk, count); ++slot) {
      const size_t ahead = std::min(slot + kSlotsAhead, count - 1);
      if (is_user) {
        prefetch_user(batch, negatives, view, ahead);
        sum_user(batch, negatives, view, extra, slot, scratch);
      } else {
        prefetch_item(batch, negatives, view, ahead);
        sum_item(batch, negatives, view, extra, slot, scratch);
      }
    }
  });

  double squares = std::accumulate(squares_.begin(), squares_.end(), 0.0);
  if (broadcasts_penalty_)
    squares += penalty_.crossed(broadcast_penalty_.cross_terms());
  else if (!scored_.plain() && !options_.regularise_parts && !negatives.free_vectors)
    for (size_t n = 0; n < scored_.rows().negatives(); ++n)
      squares += penalty_.mixed(scored_.formed_ego().row(n), scored_.formed_ego().stride());
  regulariser_ = penalty_.loss(squares);
}

}  // namespace divns
