// SPDX-License-Identifier: Apache-2.0
// Where the parts of a split begin, if all pairs are ordered by one key: a random word, or the
// time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "data/slab_store.h"
#include "divns/parallel.h"
#include "divns/random.h"
#include "kernels/philox_words.h"

namespace divns {

// Pairs are ordered by (key, number of the pair).
struct SplitMark {
  uint64_t key;
  uint64_t pair;
  auto operator<=>(const SplitMark&) const = default;
};
// The first pair of validation and that of test.
using SplitMarks = std::array<SplitMark, 2>;

// The pairs of these ranks (at most n) among n pairs that are ordered by their random words, or by
// their times. The result is that of sorting all pairs, which takes longer and more memory.
SplitMarks marks_by_words(const Random& random, uint64_t n, const std::array<uint64_t, 2>& ranks,
                          const Executor& executor);
SplitMarks marks_by_times(const SlabStore& pairs, const std::array<uint64_t, 2>& ranks);

// Times in an order that unsigned numbers have.
inline uint64_t key_of_time(int64_t time) {
  return static_cast<uint64_t>(time) ^ (uint64_t{1} << 63);
}

// body(first, words) for the random words of the pairs [begin, end), some at a time.
template <class Body>
void for_split_words(const Random& random, uint64_t begin, uint64_t end, Body&& body) {
  std::array<uint32_t, 4096> words;
  for (uint64_t at = begin / 4 * 4; at < end; at += words.size()) {
    const size_t count = std::min<uint64_t>(words.size(), end - at);
    philox_words(random.key(), at / 4, std::span(words).first((count + 3) / 4 * 4));
    const size_t skipped = at < begin ? begin - at : 0;
    body(at + skipped, std::span<const uint32_t>(words).first(count).subspan(skipped));
  }
}

}  // namespace divns
