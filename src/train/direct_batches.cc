// SPDX-License-Identifier: Apache-2.0
#include "train/direct_batches.h"

#include <algorithm>
#include <numeric>

#include "kernels/vectors.h"

namespace divns {
namespace {

// How far ahead rows are prefetched: entries of a group, and rows to be stepped.
constexpr size_t kEntriesAhead = 4;
constexpr size_t kRowsAhead = 4;
// Usual number of terms of a sum. Reserving it keeps the lists of different workers on different
// cache lines.
constexpr size_t kUsualTerms = 256;
// Limit of the negatives that are drawn before an epoch; each takes 16 bytes.
constexpr size_t kMostDraws = size_t{1} << 25;
// Number of batches that are grouped at a time.
constexpr size_t kBatchesAhead = 8;
// Number of rows per call of the loss. Their items stay in the first-level cache until the
// gradients of the users read them again.
constexpr size_t kRowsPerLossCall = 16;

// Calls body(slot) for the rows of a home.
template <class Body>
void for_slots(const Grouping& groups, size_t home, Body&& body) {
  for (size_t slot = groups.home_start(home); slot < groups.home_start(home + 1); ++slot)
    body(slot);
}

}  // namespace

DirectBatches::DirectBatches(const ObjectiveOptions& options, const Loss& loss, const Model& model,
                             const EpochPairs& pairs, Optimizer& optimizer,
                             NegativeStatistics& statistics, const Executor& executor)
    : options_(options),
      row_loss_(loss),
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
    scratch.terms.reserve(kUsualTerms);
    scratch.sum.resize(view_.users.stride);
  }
}

bool DirectBatches::fit(const TrainConfig& config, const Model& model, const EpochPairs& pairs,
                        const Sampler& sampler, const Optimizer& optimizer) {
  return model.hops() == 1 && sampler.draws_ahead() && optimizer.lags() &&
         !config.objective.scales_items() && !config.objective.broadcasts() &&
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

// Groups this batch and those after it, both sides independently.
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

void DirectBatches::score_user(const Grouped& now, size_t slot) {
  const std::span<const uint32_t> rows = now.users.entries();
  const size_t width = view_.users.stride;
  const float* user = view_.users.row(now.users.rows()[slot]);
  if (slot + kRowsAhead < now.users.rows().size())
    prefetch_floats(view_.users.row(now.users.rows()[slot + kRowsAhead]), width);
  for (size_t place = now.users.start(slot); place < now.users.start(slot + 1); ++place) {
    const size_t ahead = rows[std::min(place + kEntriesAhead, rows.size() - 1)];
    prefetch_floats(view_.items.row(now.batch.positives[ahead]), width);
    prefetch_floats(view_.items.row(now.negatives[ahead * per_row_]), width);
    const size_t b = rows[place];
    rows_.score(
        place, now.batch.users[b], user, view_.items.row(now.batch.positives[b]),
        [&](size_t k) { return view_.items.row(now.negatives[b * per_row_ + k]); }, width);
  }
}

void DirectBatches::sum_user(const Grouped& now, size_t slot, Scratch& scratch) {
  for (size_t place = now.users.start(slot); place < now.users.start(slot + 1); ++place) {
    const size_t b = now.users.entries()[place];
    add_user_terms(rows_, place, now.negatives.data() + b * per_row_, now.batch.positives[b],
                   scratch.terms, scratch.terms);
  }
  float* gradient = user_gradients_.row(slot);
  scratch.terms.store(view_.items, gradient);
  squares_[slot] = penalty_.add_user(view_.users.row(now.users.rows()[slot]),
                                     now.users.entries(slot).size(), gradient, view_.users.stride);
}

// Users of a home, as many at a time as give the loss enough rows; each user with all its rows, as
// Loss::joins_users() requires.
void DirectBatches::score_home(const Grouped& now, size_t home, Scratch& scratch) {
  const float share = 1.0F / static_cast<float>(now.batch.size());
  const size_t end = now.users.home_start(home + 1);
  for (size_t first = now.users.home_start(home); first < end;) {
    const size_t begin_rows = now.users.start(first);
    size_t last = first;
    for (; last < end && now.users.start(last) < begin_rows + kRowsPerLossCall; ++last)
      score_user(now, last);
    rows_.apply(row_loss_, begin_rows, now.users.start(last), share);
    for (; first < last; ++first) sum_user(now, first, scratch);
  }
}

void DirectBatches::score(size_t batch) {
  if (batch % grouped_.size() == 0) group_from(batch);
  const Grouped& now = grouped(batch);
  const size_t users = now.users.rows().size();
  user_gradients_.resize_rows(static_cast<uint32_t>(users));
  squares_.resize(users + now.items.rows().size());
  penalty_ = Penalty(options_, now.batch.size());
  rows_.resize(now.batch.size(), per_row_);
  executor_.run(1 + Grouping::kHomes, [&](int worker, size_t task) {
    if (task == 0)
      statistics_.add(now.batch, now.negatives, view_);
    else
      score_home(now, task - 1, scratch_[static_cast<size_t>(worker)]);
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
    if (entry < size) return rows_.positive_slope(place);
    return rows_.negative_slope(place * per_row_ + (entry - size) % per_row_);
  };
  if (slot + kRowsAhead < now.items.rows().size())
    optimizer_.prefetch(kItems, now.items.rows()[slot + kRowsAhead]);
  size_t as_positive = 0;
  for (size_t e = now.items.start(slot); e < now.items.start(slot + 1); ++e) {
    const size_t ahead = entries[std::min(e + kEntriesAhead, entries.size() - 1)];
    prefetch_floats(view_.users.row(now.batch.users[row_of(ahead)]), width);
    __builtin_prefetch(&slope_of(ahead));
    scratch.terms.add(now.batch.users[row_of(entries[e])], slope_of(entries[e]));
    if (entries[e] < size) ++as_positive;
  }
  const size_t as_negative = now.items.entries(slot).size() - as_positive;
  const uint32_t item = now.items.rows()[slot];
  scratch.terms.store(view_.users, scratch.sum.data());
  squares_[now.users.rows().size() + slot] =
      penalty_.add_item(view_.items.row(item), as_positive, static_cast<double>(as_negative),
                        scratch.sum.data(), width);
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

// Sums in the order of the batch, which does not depend on how its rows are grouped.
void DirectBatches::sum_up(const Grouped& now) {
  const RowScores::Totals totals = rows_.totals(now.places);
  loss_ = totals.loss + penalty_.loss(std::accumulate(squares_.begin(), squares_.end(), 0.0));
  hardness_ = totals.hardness;
}

}  // namespace divns
