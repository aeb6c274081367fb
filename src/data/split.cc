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

// Every pair gets a random word; the cuts fall at order statistics of the words. Only the buckets
// that a cut falls into have to be sorted, so this is two passes and a bit, and exact.
class RandomSplit {
 public:
  RandomSplit(const SplitRequest& request, size_t n, const Executor& executor)
      : random_(request.seed, "split.random"), cut_(cuts(request, n)), n_(n), executor_(executor) {}

  std::vector<uint8_t> labels() {
    count();
    const size_t train_bucket = bucket_of_rank(cut_.train);
    const size_t valid_bucket = bucket_of_rank(cut_.valid);
    std::vector<uint8_t> label_of_bucket(kBuckets);
    for (size_t b = 0; b < kBuckets; ++b) label_of_bucket[b] = label_of_rank(cut_, before_[b]);
    std::vector<uint8_t> labels(n_);
    std::vector<std::vector<Undecided>> undecided((n_ + kSplitPairsPerChunk - 1) /
                                                  kSplitPairsPerChunk);
    executor_.for_chunks(n_, kSplitPairsPerChunk, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const size_t bucket = buckets_[i];
        labels[i] = label_of_bucket[bucket];
        if (bucket == train_bucket || bucket == valid_bucket)
          undecided[begin / kSplitPairsPerChunk].push_back({word(i), i});
      }
    });
    std::vector<Undecided> all;
    for (const auto& part : undecided) all.insert(all.end(), part.begin(), part.end());
    std::sort(all.begin(), all.end());
    for (size_t k = 0; k < all.size(); ++k) {
      const size_t bucket = all[k].first >> kShift;
      // The lower of the two buckets comes first in the sorted list.
      const size_t first =
          bucket == train_bucket ? 0 : before_[train_bucket + 1] - before_[train_bucket];
      labels[all[k].second] = label_of_rank(cut_, before_[bucket] + k - first);
    }
    return labels;
  }

 private:
  using Undecided = std::pair<uint32_t, size_t>;  // word and pair
  static constexpr size_t kBuckets = size_t{1} << 12;
  static constexpr int kShift = 32 - 12;

  // Word i % 4 of block i / 4.
  Draws::Words block(size_t i) const {
    return random_.block(static_cast<uint32_t>(i / 4), static_cast<uint32_t>(i >> 34), 0, 0);
  }
  uint32_t word(size_t i) const { return block(i)[i % 4]; }

  void count() {
    std::vector<std::vector<uint32_t>> parts((n_ + kSplitPairsPerChunk - 1) / kSplitPairsPerChunk,
                                             std::vector<uint32_t>(kBuckets));
    buckets_.resize(n_);
    executor_.for_chunks(n_, kSplitPairsPerChunk, [&](size_t begin, size_t end) {
      auto& counts = parts[begin / kSplitPairsPerChunk];
      for (size_t i = begin; i < end; i += 4) {
        const Draws::Words words = block(i);
        for (size_t k = 0; k < std::min<size_t>(4, end - i); ++k)
          ++counts[buckets_[i + k] = static_cast<uint16_t>(words[k] >> kShift)];
      }
    });
    before_.assign(kBuckets + 1, 0);
    for (const auto& part : parts)
      for (size_t b = 0; b < kBuckets; ++b) before_[b + 1] += part[b];
    std::partial_sum(before_.begin(), before_.end(), before_.begin());
  }

  size_t bucket_of_rank(size_t rank) const {
    return static_cast<size_t>(std::upper_bound(before_.begin(), before_.end(), rank) -
                               before_.begin()) -
           1;
  }

  Random random_;
  Cuts cut_;
  size_t n_;
  const Executor& executor_;
  ScratchVector<uint16_t> buckets_;  // of each pair's word: its leading bits
  std::vector<size_t> before_;       // words in lower buckets
};

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
                uint32_t user, std::vector<size_t>& order) {
  std::iota(order.begin(), order.end(), pairs.rows.offsets[user]);
  const bool by_time = needs_times(request.method) ||
                       (request.method == SplitMethod::kLeaveOneOut && !pairs.times.empty());
  if (by_time) {
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return pairs.times[a] < pairs.times[b]; });
    return;
  }
  Draws draws = random.draws(user);
  shuffle(draws, std::span(order));
}

void split_users(const PairList& pairs, const SplitRequest& request, const Executor& executor,
                 std::vector<uint8_t>& labels) {
  const Random random(request.seed, "split.user");
  const auto& offsets = pairs.rows.offsets;
  executor.for_chunks(pairs.rows.users(), kSplitUsersPerChunk, [&](size_t first, size_t last) {
    std::vector<size_t> order;
    for (size_t user = first; user < last; ++user) {
      order.resize(offsets[user + 1] - offsets[user]);
      order_user(pairs, request, random, static_cast<uint32_t>(user), order);
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
      return RandomSplit(request, pairs.size(), executor).labels();
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

std::array<Rows, 3> rows_by_part(const Rows& rows, const std::vector<uint8_t>& labels,
                                 const Executor& executor) {
  std::array<Rows, 3> parts;
  for (Rows& part : parts) part.offsets.assign(rows.offsets.size(), 0);
  // Counts of each user go to offsets[user + 1]; users of different chunks never meet.
  executor.for_chunks(rows.users(), kSplitUsersPerChunk, [&](size_t begin, size_t end) {
    for (size_t user = begin; user < end; ++user)
      for (uint64_t at = rows.offsets[user]; at < rows.offsets[user + 1]; ++at)
        ++parts[labels[at]].offsets[user + 1];
  });
  for (Rows& part : parts) {
    std::partial_sum(part.offsets.begin(), part.offsets.end(), part.offsets.begin());
    part.items.resize(part.offsets.back());
  }
  executor.for_chunks(rows.users(), kSplitUsersPerChunk, [&](size_t begin, size_t end) {
    std::array<uint32_t*, 3> out{};
    for (size_t p = 0; p < parts.size(); ++p)
      out[p] = parts[p].items.data() + parts[p].offsets[begin];
    for (uint64_t at = rows.offsets[begin]; at < rows.offsets[end]; ++at)
      *out[labels[at]]++ = rows.items[at];
  });
  return parts;
}

}  // namespace divns
