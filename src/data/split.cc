// SPDX-License-Identifier: Apache-2.0
#include "data/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/check.h"
#include "base/random.h"

namespace divns {
namespace {

constexpr size_t kChunk = size_t{1} << 16;

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

// Every pair gets a random word; the cuts fall at order statistics of the words. Only the buckets
// that a cut falls into have to be sorted, so this is one pass and a bit, and exact.
void split_random(const PairList& pairs, const SplitRequest& request, const Executor& executor,
                  std::vector<uint8_t>& labels) {
  constexpr int kBucketBits = 16;
  const size_t n = pairs.size();
  const Random random(request.seed, "split.random");
  // The word of pair i is word i % 4 of block i / 4.
  std::vector<uint32_t> words(n);
  executor.for_chunks(n, kChunk, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += 4) {
      const auto block =
          random.block(static_cast<uint32_t>(i / 4), static_cast<uint32_t>(i >> 34), 0, 0);
      std::copy_n(block.begin(), std::min<size_t>(4, end - i),
                  words.begin() + static_cast<ptrdiff_t>(i));
    }
  });
  std::vector<size_t> before((size_t{1} << kBucketBits) + 1);
  for (const uint32_t word : words) ++before[(word >> (32 - kBucketBits)) + 1];
  std::partial_sum(before.begin(), before.end(), before.begin());

  const Cuts cut = cuts(request, n);
  const auto bucket_of_rank = [&](size_t rank) {
    return static_cast<size_t>(std::upper_bound(before.begin(), before.end(), rank) -
                               before.begin()) -
           1;
  };
  const size_t cut_buckets[2] = {bucket_of_rank(cut.train), bucket_of_rank(cut.valid)};
  std::vector<size_t> undecided;
  for (size_t i = 0; i < n; ++i) {
    const size_t bucket = words[i] >> (32 - kBucketBits);
    labels[i] = label_of_rank(cut, before[bucket]);
    if (bucket == cut_buckets[0] || bucket == cut_buckets[1]) undecided.push_back(i);
  }
  std::sort(undecided.begin(), undecided.end(),
            [&](size_t a, size_t b) { return std::pair(words[a], a) < std::pair(words[b], b); });
  for (size_t k = 0; k < undecided.size(); ++k) {
    const size_t bucket = words[undecided[k]] >> (32 - kBucketBits);
    // The lower of the two buckets comes first in the sorted list.
    const size_t first =
        bucket == cut_buckets[0] ? 0 : before[cut_buckets[0] + 1] - before[cut_buckets[0]];
    labels[undecided[k]] = label_of_rank(cut, before[bucket] + k - first);
  }
}

void split_by_time(const PairList& pairs, const SplitRequest& request,
                   std::vector<uint8_t>& labels) {
  std::vector<uint32_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return pairs.times[a] < pairs.times[b]; });
  const Cuts cut = cuts(request, pairs.size());
  for (size_t rank = 0; rank < order.size(); ++rank) labels[order[rank]] = label_of_rank(cut, rank);
}

Cuts user_cuts(const SplitRequest& request, size_t n) {
  if (request.method == SplitMethod::kLeaveOneOut) return n < 3 ? Cuts{n, n} : Cuts{n - 2, n - 1};
  Cuts cut = cuts(request, n);
  if (cut.train == 0 && request.ratios[0] > 0) cut.train = 1;
  cut.valid = std::max(cut.valid, cut.train);
  return cut;
}

// `order` lists the user's pairs: by time where the method asks for it, at random otherwise.
void order_user(const PairList& pairs, const SplitRequest& request, const Random& random,
                size_t begin, std::vector<size_t>& order) {
  std::iota(order.begin(), order.end(), begin);
  const bool by_time = needs_times(request.method) ||
                       (request.method == SplitMethod::kLeaveOneOut && !pairs.times.empty());
  if (by_time) {
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return pairs.times[a] < pairs.times[b]; });
    return;
  }
  Draws draws = random.draws(PairList::user(pairs.keys[begin]));
  shuffle(draws, std::span(order));
}

void split_users(const PairList& pairs, const SplitRequest& request, const Executor& executor,
                 std::vector<uint8_t>& labels) {
  const Random random(request.seed, "split.user");
  std::vector<size_t> begins;
  for (size_t i = 0; i < pairs.size(); ++i)
    if (i == 0 || PairList::user(pairs.keys[i]) != PairList::user(pairs.keys[i - 1]))
      begins.push_back(i);
  begins.push_back(pairs.size());
  executor.for_chunks(begins.size() - 1, 256, [&](size_t first, size_t last) {
    std::vector<size_t> order;
    for (size_t u = first; u < last; ++u) {
      order.resize(begins[u + 1] - begins[u]);
      order_user(pairs, request, random, begins[u], order);
      const Cuts cut = user_cuts(request, order.size());
      for (size_t rank = 0; rank < order.size(); ++rank)
        labels[order[rank]] = label_of_rank(cut, rank);
    }
  });
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

std::vector<uint8_t> split_pairs(const PairList& pairs, const SplitRequest& request,
                                 const Executor& executor) {
  const double sum = request.ratios[0] + request.ratios[1] + request.ratios[2];
  if (std::abs(sum - 1) > 1e-9)
    fail("the split ratios {}, {}, {} sum to {:.6g}, but train, valid and test must sum to 1.",
         request.ratios[0], request.ratios[1], request.ratios[2], sum);
  DIVNS_ASSERT(!needs_times(request.method) || pairs.times.size() == pairs.size());
  std::vector<uint8_t> labels(pairs.size());
  if (pairs.size() == 0) return labels;
  switch (request.method) {
    case SplitMethod::kRandom:
      split_random(pairs, request, executor, labels);
      break;
    case SplitMethod::kTemporal:
      split_by_time(pairs, request, labels);
      break;
    case SplitMethod::kPerUser:
    case SplitMethod::kLeaveOneOut:
    case SplitMethod::kTemporalPerUser:
      split_users(pairs, request, executor, labels);
      break;
  }
  return labels;
}

}  // namespace divns
