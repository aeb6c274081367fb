// SPDX-License-Identifier: Apache-2.0
#include "data/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/check.h"
#include "divns/options.h"
#include "divns/random.h"
#include "kernels/divide_by_label.h"

namespace divns {
namespace {

constexpr size_t kSplitPairsPerChunk = size_t{1} << 18;
constexpr size_t kSplitUsersPerChunk = 1024;

struct Cuts {
  size_t train;  // how many for training
  size_t valid;  // how many for training and validation together
};

Cuts cuts(const SplitRequest& request, size_t n) {
  const auto share = [n](double ratio) {
    return static_cast<size_t>(std::llround(std::clamp(ratio, 0.0, 1.0) * static_cast<double>(n)));
  };
  const size_t train = share(request.ratios[0]);
  return {train, request.ratios[2] > 0
                     ? std::max(train, share(request.ratios[0] + request.ratios[1]))
                     : n};
}

// Labels by rank: the lowest cuts.train ranks are for training, and so on.
uint8_t label_of_rank(const Cuts& cut, size_t rank) {
  return rank < cut.train ? kTrain : rank < cut.valid ? kValid : kTest;
}

uint8_t label_of_mark(const SplitMarks& marks, const SplitMark& pair) {
  return static_cast<uint8_t>((pair >= marks[0] ? 1 : 0) + (pair >= marks[1] ? 1 : 0));
}

Cuts user_cuts(const SplitRequest& request, size_t n) {
  if (request.method == SplitMethod::kLeaveOneOut) return n < 3 ? Cuts{n, n} : Cuts{n - 2, n - 1};
  Cuts cut = cuts(request, n);
  if (cut.train == 0 && request.ratios[0] > 0) cut.train = 1;
  cut.valid = std::max(cut.valid, cut.train);
  return cut;
}

// `order` lists the pairs of a row: by time where the method asks for it, at random otherwise.
void order_row(const Slab& slab, bool by_time, const Random& random, uint32_t row,
               std::vector<size_t>& order) {
  std::iota(order.begin(), order.end(), slab.rows.offsets[row]);
  if (by_time) {
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return slab.times[a] < slab.times[b]; });
    return;
  }
  Draws draws = random.draws(slab.first_user + row);
  shuffle(draws, std::span(order));
}

Random random_of_words(const SplitRequest& request) {
  return Random(request.seed, "split.random");
}

// The word of a mark. Beyond all pairs it is the highest, and ties are compared as pairs.
uint32_t word_of(const SplitMark& mark) {
  return static_cast<uint32_t>(std::min<uint64_t>(mark.key, UINT32_MAX));
}

}  // namespace

void SplitOptions::declare(Options& options) {
  options.add_choice("split", method,
                     {{"random", SplitMethod::kRandom},
                      {"per-user", SplitMethod::kPerUser},
                      {"leave-one-out", SplitMethod::kLeaveOneOut},
                      {"temporal", SplitMethod::kTemporal},
                      {"temporal-per-user", SplitMethod::kTemporalPerUser}},
                     "how pairs are divided into train, valid and test");
  options.add("ratios", ratios, "shares of train, valid and test").range(0, 1);
}

SplitRequest SplitOptions::request(uint64_t seed) const {
  if (ratios.size() != 3)
    fail("ratios has {} numbers, but three are expected: train, valid, test.", ratios.size());
  return {method, {ratios[0], ratios[1], ratios[2]}, seed};
}

bool needs_times(SplitMethod method) {
  return method == SplitMethod::kTemporal || method == SplitMethod::kTemporalPerUser;
}

Splitter::Splitter(const SlabStore& pairs, const SplitRequest& request, const Executor& executor)
    : request_(request), executor_(executor), has_times_(pairs.has_times()) {
  const double sum = request.ratios[0] + request.ratios[1] + request.ratios[2];
  if (std::abs(sum - 1) > 1e-9)
    fail("the split ratios {}, {}, {} sum to {:.6g}, but train, valid and test must sum to 1.",
         request.ratios[0], request.ratios[1], request.ratios[2], sum);
  const uint64_t n = pairs.pairs();
  DIVNS_ASSERT(!needs_times(request.method) || has_times_ || n == 0);
  if (n == 0) return;
  const Cuts cut = cuts(request, n);
  const std::array<uint64_t, 2> ranks = {cut.train, cut.valid};
  if (request.method == SplitMethod::kRandom)
    marks_ = marks_by_words(random_of_words(request), n, ranks, executor);
  if (request.method == SplitMethod::kTemporal) marks_ = marks_by_times(pairs, ranks);
}

PartLabels Splitter::labels(const Slab& slab) const {
  PartLabels labels(slab.rows.pairs());
  switch (request_.method) {
    case SplitMethod::kRandom:
      label_by_words(slab, labels);
      break;
    case SplitMethod::kTemporal:
      label_by_times(slab, labels);
      break;
    case SplitMethod::kPerUser:
    case SplitMethod::kLeaveOneOut:
    case SplitMethod::kTemporalPerUser:
      label_users(slab, labels);
      break;
  }
  return labels;
}

void Splitter::label_by_words(const Slab& slab, PartLabels& labels) const {
  const Random random = random_of_words(request_);
  const std::array<uint32_t, 2> words_at = {word_of(marks_[0]), word_of(marks_[1])};
  executor_.for_chunks(labels.size(), kSplitPairsPerChunk, [&](size_t begin, size_t end) {
    for_split_words(random, slab.first_pair + begin, slab.first_pair + end,
                    [&](uint64_t first, std::span<const uint32_t> words) {
                      uint8_t* const out = labels.data() + (first - slab.first_pair);
                      uint32_t ties = 0;
                      for (size_t i = 0; i < words.size(); ++i) {
                        ties |= (words[i] == words_at[0] ? 1U : 0U) |
                                (words[i] == words_at[1] ? 1U : 0U);
                        out[i] = static_cast<uint8_t>((words[i] >= words_at[0] ? 1U : 0U) +
                                                      (words[i] >= words_at[1] ? 1U : 0U));
                      }
                      if (ties == 0) return;
                      for (size_t i = 0; i < words.size(); ++i)
                        out[i] = label_of_mark(marks_, {words[i], first + i});
                    });
  });
}

void Splitter::label_by_times(const Slab& slab, PartLabels& labels) const {
  executor_.for_chunks(labels.size(), kSplitPairsPerChunk, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      labels[i] = label_of_mark(marks_, {key_of_time(slab.times[i]), slab.first_pair + i});
  });
}

void Splitter::label_users(const Slab& slab, PartLabels& labels) const {
  const Random random(request_.seed, "split.user");
  const bool by_time =
      needs_times(request_.method) || (request_.method == SplitMethod::kLeaveOneOut && has_times_);
  const auto& offsets = slab.rows.offsets;
  executor_.for_chunks(slab.rows.users(), kSplitUsersPerChunk, [&](size_t first, size_t last) {
    std::vector<size_t> order;
    for (size_t row = first; row < last; ++row) {
      order.resize(offsets[row + 1] - offsets[row]);
      order_row(slab, by_time, random, static_cast<uint32_t>(row), order);
      const Cuts cut = user_cuts(request_, order.size());
      for (size_t rank = 0; rank < order.size(); ++rank)
        labels[order[rank]] = label_of_rank(cut, rank);
    }
  });
}

std::array<Rows, 3> rows_by_part(const Rows& rows, const PartLabels& labels,
                                 const Executor& executor) {
  std::array<Rows, 3> parts;
  for (Rows& part : parts) part.offsets.assign(rows.offsets.size(), 0);
  // Counts of each user go to offsets[user + 1]; users of different chunks never meet.
  executor.for_chunks(rows.users(), kSplitUsersPerChunk, [&](size_t begin, size_t end) {
    for (size_t user = begin; user < end; ++user) {
      const uint64_t count = rows.offsets[user + 1] - rows.offsets[user];
      const auto of_user = std::span(labels).subspan(rows.offsets[user], count);
      uint32_t valid = 0;
      uint32_t test = 0;
      for (const uint8_t label : of_user) {
        valid += label == kValid ? 1 : 0;
        test += label == kTest ? 1 : 0;
      }
      parts[kTrain].offsets[user + 1] = count - valid - test;
      parts[kValid].offsets[user + 1] = valid;
      parts[kTest].offsets[user + 1] = test;
    }
  });
  for (Rows& part : parts) {
    std::partial_sum(part.offsets.begin(), part.offsets.end(), part.offsets.begin());
    part.items.resize(part.offsets.back());
  }
  executor.for_chunks(rows.users(), kSplitUsersPerChunk, [&](size_t begin, size_t end) {
    std::array<uint32_t*, 3> out{};
    for (size_t p = 0; p < parts.size(); ++p)
      out[p] = parts[p].items.data() + parts[p].offsets[begin];
    const uint64_t first = rows.offsets[begin];
    const uint64_t pairs = rows.offsets[end] - first;
    divide_by_label(std::span(rows.items).subspan(first, pairs),
                    std::span(labels).subspan(first, pairs), out);
  });
  return parts;
}

std::array<SlabStore, 3> divide(const SlabStore& pairs, const SplitRequest& request,
                                const Executor& executor) {
  const Splitter splitter(pairs, request, executor);
  std::array<SlabStore, 3> parts = {SlabStore(pairs.disk()), SlabStore(pairs.disk()),
                                    SlabStore(pairs.disk())};
  pairs.for_each([&](const Slab& slab) {
    std::array<Rows, 3> rows = rows_by_part(slab.rows, splitter.labels(slab), executor);
    for (size_t p = 0; p < parts.size(); ++p) parts[p].add(std::move(rows[p]));
  });
  return parts;
}

}  // namespace divns
