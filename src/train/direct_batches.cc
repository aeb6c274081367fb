// SPDX-License-Identifier: Apache-2.0
#include "train/direct_batches.h"

#include <algorithm>

#include "kernels/vectors.h"

namespace divns {
namespace {

// How far ahead rows are asked for: entries of a group, and rows to be stepped.
constexpr size_t kEntriesAhead = 4;
constexpr size_t kRowsAhead = 4;
// Terms of most sums; enough to keep the workers' lists some cache lines apart.
constexpr size_t kUsualTerms = 256;
// Negatives that may be drawn ahead; each is kept in four places of four bytes.
constexpr size_t kMostDraws = size_t{1} << 25;
// Batches that are grouped at a time.
constexpr size_t kBatchesAhead = 8;

// body(slot) for the rows of a home.
template <class Body>
void for_slots(const Grouping& groups, size_t home, Body&& body) {
  for (size_t slot = groups.home_start(home); slot < groups.home_start(home + 1); ++slot)
    body(slot);
}

}  // namespace

void DirectBatches::Scratch::add(uint32_t id, float weight) {
  ids.push_back(id);
  weights.push_back(weight);
}

void DirectBatches::Scratch::store(const VectorTable& table, float* out) {
  gather_sum(table, ids.data(), weights.data(), ids.size(), out);
  ids.clear();
  weights.clear();
}

DirectBatches::DirectBatches(const LossOptions& options, const Model& model,
                             const EpochPairs& pairs, Optimizer& optimizer,
                             NegativeStatistics& statistics, const Executor& executor)
    : options_(options),
      pairs_(pairs),
      optimizer_(optimizer),
      statistics_(statistics),
      executor_(executor),
      view_(model.view()),
      plan_(view_.users.rows, view_.items.rows, executor),
      grouped_(kBatchesAhead, Grouped(view_.users.rows, view_.items.rows)),
      scratch_(static_cast<size_t>(executor.threads())),
      user_gradients_(0, view_.users.dim) {
  for (Scratch& scratch : scratch_) {
    scratch.ids.reserve(kUsualTerms);
    scratch.weights.reserve(kUsualTerms);
    scratch.sum.resize(view_.users.stride);
  }
}

bool DirectBatches::fit(const TrainConfig& config, const Model& model, const EpochPairs& pairs,
                        const Sampler& sampler, const Optimizer& optimizer) {
  return model.hops() == 1 && sampler.draws_ahead() && optimizer.lags() &&
         !config.loss.unit_items &&
         pairs.rows() * static_cast<size_t>(config.negatives) <= kMostDraws;
}

void DirectBatches::begin_epoch(Sampler& sampler) {
  const Batch epoch = pairs_.whole();
  RowsToRead drawn;
  sampler.propose(epoch, drawn);
  per_row_ = drawn.items.size() / epoch.size();
  plan_.make(epoch, pairs_.batch(0).size(), drawn.items);
  optimizer_.foresee_all(kUsers, plan_.first_user_reads());
  optimizer_.foresee_all(kItems, plan_.first_item_reads());
}

// This batch and those after it, each side by itself.
void DirectBatches::group_from(size_t batch) {
  const size_t count = std::min(grouped_.size(), pairs_.batches() - batch);
  executor_.run(2 * count, [&](int, size_t task) {
    if (task % 2 == 0)
      group_users(batch + task / 2);
    else
      group_items(batch + task / 2);
  });
}

void DirectBatches::group_users(size_t batch) {
  Grouped& next = grouped(batch);
  next.batch = pairs_.batch(batch);
  next.users.group(next.batch.users);
  next.places.resize(next.batch.size());
  for (uint32_t place = 0; place < next.batch.size(); ++place)
    next.places[next.users.entries()[place]] = place;
  plan_.next_user_reads(next.batch, next.users, next.next_user_reads);
}

void DirectBatches::group_items(size_t batch) {
  Grouped& next = grouped(batch);
  const Batch rows = pairs_.batch(batch);
  const std::span<const uint32_t> keys = plan_.item_keys(rows);
  next.negatives = keys.subspan(rows.size());
  next.items.group(keys);
  plan_.next_item_reads(rows, next.items, next.next_item_reads);
}

// Scores, loss and slopes of the row of the batch in this place.
void DirectBatches::score_row(const Grouped& now, const float* user, size_t place) {
  const size_t b = now.users.entries()[place];
  const size_t width = view_.users.stride;
  const float share = 1.0F / static_cast<float>(now.batch.size());
  const auto scores = std::span(negative_scores_).subspan(place * per_row_, per_row_);
  const auto slopes = std::span(negative_slopes_).subspan(place * per_row_, per_row_);
  positive_scores_[place] = dot(user, view_.items.row(now.batch.positives[b]), width);
  for (size_t k = 0; k < per_row_; ++k) {
    scores[k] = dot(user, view_.items.row(now.negatives[b * per_row_ + k]), width);
    slopes[k] = scores[k] - positive_scores_[place];
  }
  losses_[place] = row_loss(NegativeLoss::kTogether, slopes, {}, slopes);
  positive_slopes_[place] = 0;
  for (float& slope : slopes) {
    slope *= share;
    positive_slopes_[place] -= slope;
  }
}

void DirectBatches::score_user(const Grouped& now, size_t slot, Scratch& scratch) {
  const std::span<const uint32_t> rows = now.users.entries();
  const size_t width = view_.users.stride;
  const float* user = view_.users.row(now.users.rows()[slot]);
  if (slot + kRowsAhead < now.users.rows().size())
    prefetch_floats(view_.users.row(now.users.rows()[slot + kRowsAhead]), width);
  for (size_t place = now.users.start(slot); place < now.users.start(slot + 1); ++place) {
    const size_t ahead = rows[std::min(place + kEntriesAhead, rows.size() - 1)];
    prefetch_floats(view_.items.row(now.batch.positives[ahead]), width);
    prefetch_floats(view_.items.row(now.negatives[ahead * per_row_]), width);
    score_row(now, user, place);
    const size_t b = rows[place];
    for (size_t k = 0; k < per_row_; ++k)
      scratch.add(now.negatives[b * per_row_ + k], negative_slopes_[place * per_row_ + k]);
    scratch.add(now.batch.positives[b], positive_slopes_[place]);
  }
  float* gradient = user_gradients_.row(slot);
  scratch.store(view_.items, gradient);
  const auto count = static_cast<double>(now.users.entries(slot).size());
  const double l2 = options_.l2 / static_cast<double>(now.batch.size());
  axpy(static_cast<float>(l2 * count), user, gradient, width);
  squares_[slot] = count * double{dot(user, user, width)};
}

void DirectBatches::score(size_t batch) {
  if (batch % grouped_.size() == 0) group_from(batch);
  const Grouped& now = grouped(batch);
  const size_t users = now.users.rows().size();
  user_gradients_.resize_rows(static_cast<uint32_t>(users));
  squares_.resize(users + now.items.rows().size());
  losses_.resize(now.batch.size());
  positive_scores_.resize(now.batch.size());
  positive_slopes_.resize(now.batch.size());
  negative_scores_.resize(now.batch.size() * per_row_);
  negative_slopes_.resize(now.batch.size() * per_row_);
  executor_.run(1 + Grouping::kHomes, [&](int worker, size_t task) {
    if (task == 0)
      statistics_.add(now.batch, now.negatives, view_);
    else
      for_slots(now.users, task - 1,
                [&](size_t slot) { score_user(now, slot, scratch_[static_cast<size_t>(worker)]); });
  });
}

void DirectBatches::step_item(const Grouped& now, size_t slot, Scratch& scratch) {
  const size_t size = now.batch.size();
  const size_t width = view_.users.stride;
  const std::span<const uint32_t> entries = now.items.entries();
  // The row of the batch that an entry belongs to: entries are positives, then negatives.
  const auto row_of = [&](size_t entry) {
    return entry < size ? entry : (entry - size) / per_row_;
  };
  const auto slope_of = [&](size_t entry) -> const float& {
    const size_t place = now.places[row_of(entry)];
    if (entry < size) return positive_slopes_[place];
    return negative_slopes_[place * per_row_ + (entry - size) % per_row_];
  };
  if (slot + kRowsAhead < now.items.rows().size())
    optimizer_.prefetch(kItems, now.items.rows()[slot + kRowsAhead]);
  for (size_t e = now.items.start(slot); e < now.items.start(slot + 1); ++e) {
    const size_t ahead = entries[std::min(e + kEntriesAhead, entries.size() - 1)];
    prefetch_floats(view_.users.row(now.batch.users[row_of(ahead)]), width);
    __builtin_prefetch(&slope_of(ahead));
    scratch.add(now.batch.users[row_of(entries[e])], slope_of(entries[e]));
  }
  const size_t count = now.items.entries(slot).size();
  const uint32_t item = now.items.rows()[slot];
  const float* vector = view_.items.row(item);
  scratch.store(view_.users, scratch.sum.data());
  const auto l2 = static_cast<float>(options_.l2 / static_cast<double>(size));
  axpy(l2 * static_cast<float>(count), vector, scratch.sum.data(), width);
  squares_[now.users.rows().size() + slot] =
      static_cast<double>(count) * double{dot(vector, vector, width)};
  optimizer_.step_row(kItems, item, scratch.sum.data(), now.next_item_reads[slot]);
}

void DirectBatches::step(size_t batch) {
  const Grouped& now = grouped(batch);
  const std::span<const uint32_t> users = now.users.rows();
  optimizer_.begin_step();
  executor_.run(Grouping::kHomes, [&](int worker, size_t home) {
    for_slots(now.items, home,
              [&](size_t slot) { step_item(now, slot, scratch_[static_cast<size_t>(worker)]); });
  });
  executor_.run(1 + Grouping::kHomes, [&](int, size_t task) {
    if (task == 0)
      sum_up(now);
    else
      for_slots(now.users, task - 1, [&](size_t slot) {
        if (slot + kRowsAhead < users.size()) optimizer_.prefetch(kUsers, users[slot + kRowsAhead]);
        optimizer_.step_row(kUsers, users[slot], user_gradients_.row(slot),
                            now.next_user_reads[slot]);
      });
  });
}

// In the order of the batch, which does not depend on how its rows are grouped.
void DirectBatches::sum_up(const Grouped& now) {
  const auto size = static_cast<double>(now.batch.size());
  double losses = 0;
  double positives = 0;
  double negatives = 0;
  for (const uint32_t place : now.places) {
    losses += losses_[place];
    positives += double{positive_scores_[place]};
    for (size_t k = 0; k < per_row_; ++k)
      negatives += double{negative_scores_[place * per_row_ + k]};
  }
  double squares = 0;
  for (const double value : squares_) squares += value;
  const float share = 1.0F / static_cast<float>(now.batch.size());
  loss_ = losses * double{share} + options_.l2 / (2 * size) * squares;
  hardness_ = negatives / (size * static_cast<double>(per_row_)) - positives * double{share};
}

}  // namespace divns
