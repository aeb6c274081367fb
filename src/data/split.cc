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
#include "kernels/philox_words.h"

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

// Every pair gets a random word: the cut_.train lowest words mean training, and so on. Where a cut
// falls among the words is known beforehand to within a few standard deviations, so one pass labels
// all pairs but those with words near a cut, and only these have to be sorted. The result is that
// of sorting all.
class RandomSplit {
 public:
  RandomSplit(const SplitRequest& request, size_t n, const Executor& executor)
      : random_(request.seed, "split.random"), cut_(cuts(request, n)), n_(n), executor_(executor) {}

  PartLabels labels() {
    // The share of n words below a given one has a standard deviation of at most 0.5 / sqrt(n).
    double reach = 2.5 * 0.5 / std::sqrt(static_cast<double>(n_));
    while (!label_by_words(reach)) reach *= 4;
    return std::move(labels_);
  }

 private:
  // Words whose rank may lie on either side of a cut.
  struct Window {
    uint32_t first;
    uint32_t last;
    bool holds(uint32_t word) const { return word - first <= last - first; }
  };
  static constexpr size_t kAtOnce = 128;
  struct Undecided {
    uint32_t word;
    size_t pair;
    auto operator<=>(const Undecided&) const = default;
  };
  struct Found {
    size_t beyond_train = 0;  // words beyond the first window
    size_t beyond_valid = 0;  // and beyond the second
    std::vector<Undecided> undecided;
  };

  Window window(size_t rank, double reach) const {
    const double share = static_cast<double>(rank) / static_cast<double>(n_);
    const auto word_at = [](double part) {
      return static_cast<uint32_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(UINT32_MAX));
    };
    return {word_at(share - reach), word_at(share + reach)};
  }

  // False if a cut does not fall into its window.
  bool label_by_words(double reach) {
    const Window train = window(cut_.train, reach);
    const Window valid = window(cut_.valid, reach);
    labels_.resize(n_);
    Found found = executor_.map_reduce(
        n_, kSplitPairsPerChunk, Found(),
        [&](size_t begin, size_t end) { return label_chunk(begin, end, train, valid); },
        [](Found a, const Found& b) {
          a.beyond_train += b.beyond_train;
          a.beyond_valid += b.beyond_valid;
          a.undecided.insert(a.undecided.end(), b.undecided.begin(), b.undecided.end());
          return a;
        });
    std::sort(found.undecided.begin(), found.undecided.end());
    // Pairs by word: training, near the first cut, validation, near the second cut, test.
    const auto near_train = static_cast<size_t>(
        std::count_if(found.undecided.begin(), found.undecided.end(),
                      [&](const Undecided& pair) { return pair.word <= train.last; }));
    const size_t train_end = n_ - found.beyond_train - near_train;
    const size_t test_begin = n_ - found.beyond_valid;
    const size_t valid_count = test_begin - train_end - found.undecided.size();
    const size_t valid_begin = train_end + near_train;
    if (train_end > cut_.train || test_begin < cut_.valid) return false;
    if (valid_count > 0 && (valid_begin < cut_.train || valid_begin + valid_count > cut_.valid))
      return false;
    for (size_t k = 0; k < found.undecided.size(); ++k)
      labels_[found.undecided[k].pair] =
          label_of_rank(cut_, train_end + k + (k < near_train ? 0 : valid_count));
    return true;
  }

  // Labels the pairs from `first` on, rightly for every word outside the windows. Near a cut are so
  // few that most calls have none to look for.
  void label_some(std::span<const uint32_t> words, size_t first, const Window& train,
                  const Window& valid, Found& found) {
    uint8_t* const labels = labels_.data() + first;
    uint32_t beyond_train = 0;
    uint32_t beyond_valid = 0;
    uint32_t near = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      const uint32_t past_train = words[i] > train.last ? 1 : 0;
      const uint32_t past_valid = words[i] > valid.last ? 1 : 0;
      beyond_train += past_train;
      beyond_valid += past_valid;
      near |= (train.holds(words[i]) ? 1U : 0U) | (valid.holds(words[i]) ? 1U : 0U);
      labels[i] = static_cast<uint8_t>(past_train + past_valid);
    }
    found.beyond_train += beyond_train;
    found.beyond_valid += beyond_valid;
    if (near == 0) return;
    for (size_t i = 0; i < words.size(); ++i)
      if (train.holds(words[i]) || valid.holds(words[i]))
        found.undecided.push_back({words[i], first + i});
  }

  Found label_chunk(size_t begin, size_t end, const Window& train, const Window& valid) {
    Found found;
    std::array<uint32_t, 4096> words;
    static_assert(kSplitPairsPerChunk % words.size() == 0);
    for (size_t at = begin; at < end; at += words.size()) {
      const size_t count = std::min(words.size(), end - at);
      philox_words(random_.key(), at / 4, std::span(words).first((count + 3) / 4 * 4));
      for (size_t i = 0; i < count; i += kAtOnce)
        label_some(std::span(words).subspan(i, std::min(kAtOnce, count - i)), at + i, train, valid,
                   found);
    }
    return found;
  }

  Random random_;
  Cuts cut_;
  size_t n_;
  const Executor& executor_;
  PartLabels labels_;
};

void split_by_time(const PairList& pairs, const SplitRequest& request, PartLabels& labels) {
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
                 PartLabels& labels) {
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

PartLabels split_pairs(const PairList& pairs, const SplitRequest& request,
                       const Executor& executor) {
  const double sum = request.ratios[0] + request.ratios[1] + request.ratios[2];
  if (std::abs(sum - 1) > 1e-9)
    fail("the split ratios {}, {}, {} sum to {:.6g}, but train, valid and test must sum to 1.",
         request.ratios[0], request.ratios[1], request.ratios[2], sum);
  DIVNS_ASSERT(!needs_times(request.method) || pairs.times.size() == pairs.size());
  PartLabels labels(pairs.size());
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

}  // namespace divns
