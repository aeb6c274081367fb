// SPDX-License-Identifier: Apache-2.0
#include "data/split_marks.h"

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

namespace divns {
namespace {

constexpr SplitMark kBeyond = {UINT64_MAX, UINT64_MAX};
constexpr size_t kWordsPerChunk = size_t{1} << 18;

// Every pair gets a random word: the pairs with the lowest words are for training, and so on. Where
// a part begins among the words is known beforehand to within a few standard deviations, so one
// pass finds the mark among the few words near that place. The result is that of sorting all.
class RandomMarks {
 public:
  RandomMarks(const Random& random, const std::array<uint64_t, 2>& ranks, uint64_t n,
              const Executor& executor)
      : random_(random), ranks_(ranks), n_(n), executor_(executor) {}

  SplitMarks find() const {
    // The share of n words below a given one has a standard deviation of at most 0.5 / sqrt(n).
    for (double reach = 2.5 * 0.5 / std::sqrt(static_cast<double>(n_));; reach *= 4)
      if (const std::optional<SplitMarks> marks = find_within(reach)) return *marks;
  }

 private:
  // Words among which a part is expected to begin.
  struct Window {
    uint32_t first;
    uint32_t last;
    bool holds(uint32_t word) const { return word - first <= last - first; }
  };
  using Windows = std::array<Window, 2>;
  struct Found {
    std::array<size_t, 2> below{};  // words below each window
    std::array<std::vector<SplitMark>, 2> within;
  };
  static constexpr size_t kAtOnce = 128;

  Window window(size_t rank, double reach) const {
    const double share = static_cast<double>(rank) / static_cast<double>(n_);
    const auto word_at = [](double part) {
      return static_cast<uint32_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(UINT32_MAX));
    };
    return {word_at(share - reach), word_at(share + reach)};
  }

  // Nothing if a part does not begin within its window.
  std::optional<SplitMarks> find_within(double reach) const {
    const Windows windows = {window(ranks_[0], reach), window(ranks_[1], reach)};
    Found found = executor_.map_reduce(
        n_, kWordsPerChunk, Found(),
        [&](size_t begin, size_t end) {
          Found chunk;
          for_split_words(random_, begin, end,
                          [&](uint64_t first, std::span<const uint32_t> words) {
                            for (size_t i = 0; i < words.size(); i += kAtOnce)
                              look_at(words.subspan(i, std::min(kAtOnce, words.size() - i)),
                                      first + i, windows, chunk);
                          });
          return chunk;
        },
        [](Found a, const Found& b) {
          for (size_t k = 0; k < 2; ++k) {
            a.below[k] += b.below[k];
            a.within[k].insert(a.within[k].end(), b.within[k].begin(), b.within[k].end());
          }
          return a;
        });
    SplitMarks marks{};
    for (size_t k = 0; k < marks.size(); ++k) {
      std::vector<SplitMark>& within = found.within[k];
      const bool all = ranks_[k] == n_;
      if (!all && (ranks_[k] < found.below[k] || ranks_[k] - found.below[k] >= within.size()))
        return std::nullopt;
      std::sort(within.begin(), within.end());
      marks[k] = all ? kBeyond : within[ranks_[k] - found.below[k]];
    }
    return marks;
  }

  // In a window are so few words that most calls find none.
  static void look_at(std::span<const uint32_t> words, uint64_t first, const Windows& windows,
                      Found& found) {
    std::array<uint32_t, 2> below{};
    uint32_t near = 0;
    for (const uint32_t word : words) {
      below[0] += word < windows[0].first ? 1U : 0U;
      below[1] += word < windows[1].first ? 1U : 0U;
      near |= (windows[0].holds(word) ? 1U : 0U) | (windows[1].holds(word) ? 1U : 0U);
    }
    found.below[0] += below[0];
    found.below[1] += below[1];
    if (near == 0) return;
    for (size_t i = 0; i < words.size(); ++i)
      for (size_t k = 0; k < windows.size(); ++k)
        if (windows[k].holds(words[i])) found.within[k].push_back({words[i], first + i});
  }

  const Random& random_;
  std::array<uint64_t, 2> ranks_;
  uint64_t n_;
  const Executor& executor_;
};

// The marks of the pairs in the order of time, digit by digit: each pass counts the times that
// begin with the digits found so far.
class TimeMarks {
 public:
  TimeMarks(const SlabStore& pairs, const std::array<uint64_t, 2>& ranks) : pairs_(pairs) {
    for (size_t k = 0; k < ranks.size(); ++k) searches_[k].rank = ranks[k];
  }

  SplitMarks find() {
    uint64_t lowest = UINT64_MAX;
    uint64_t highest = 0;
    for_keys([&](uint64_t key, uint64_t) {
      lowest = std::min(lowest, key);
      highest = std::max(highest, key);
    });
    const auto width = static_cast<int>(std::bit_width(highest - lowest));
    for (int shift = (width + kDigit - 1) / kDigit * kDigit - kDigit; shift >= 0; shift -= kDigit)
      find_digit(lowest, shift);
    return find_pairs(lowest);
  }

 private:
  static constexpr int kDigit = 16;
  // For the pair of this rank among those whose key begins with `digits`.
  struct Search {
    uint64_t rank = 0;
    uint64_t digits = 0;
    std::vector<uint64_t> counts;
  };

  template <class Body>
  void for_keys(Body&& body) const {
    pairs_.for_each([&](const Slab& slab) {
      for (size_t i = 0; i < slab.times.size(); ++i)
        body(key_of_time(slab.times[i]), slab.first_pair + i);
    });
  }

  void find_digit(uint64_t lowest, int shift) {
    for (Search& search : searches_) search.counts.assign(size_t{1} << kDigit, 0);
    for_keys([&](uint64_t key, uint64_t) {
      const uint64_t digits = (key - lowest) >> shift;
      for (Search& search : searches_)
        if (digits >> kDigit == search.digits) ++search.counts[digits & (search.counts.size() - 1)];
    });
    for (Search& search : searches_) {
      size_t digit = 0;
      while (digit + 1 < search.counts.size() && search.rank >= search.counts[digit])
        search.rank -= search.counts[digit++];
      search.digits = search.digits << kDigit | digit;
    }
  }

  // Equal times are in the order of the pairs.
  SplitMarks find_pairs(uint64_t lowest) const {
    SplitMarks marks = {kBeyond, kBeyond};
    std::array<uint64_t, 2> ranks = {searches_[0].rank, searches_[1].rank};
    for_keys([&](uint64_t key, uint64_t pair) {
      for (size_t k = 0; k < marks.size(); ++k)
        if (key - lowest == searches_[k].digits && marks[k] == kBeyond && ranks[k]-- == 0)
          marks[k] = {key, pair};
    });
    return marks;
  }

  const SlabStore& pairs_;
  std::array<Search, 2> searches_;
};

}  // namespace

SplitMarks marks_by_words(const Random& random, uint64_t n, const std::array<uint64_t, 2>& ranks,
                          const Executor& executor) {
  return RandomMarks(random, ranks, n, executor).find();
}

SplitMarks marks_by_times(const SlabStore& pairs, const std::array<uint64_t, 2>& ranks) {
  return TimeMarks(pairs, ranks).find();
}

}  // namespace divns
