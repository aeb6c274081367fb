// SPDX-License-Identifier: Apache-2.0
#include "data/sort_pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "base/check.h"

namespace divns {
namespace {

// The keys are user << 32 | item, so most of the 64 bits are empty. One pass divides them by their
// leading bits into buckets that fit the cache; within a bucket the remaining bits of user and item
// fit a 32-bit word, which three or four counting passes sort.
constexpr size_t kChunk = size_t{1} << 18;         // keys a chunk of the dividing pass
constexpr size_t kBucketTarget = size_t{1} << 14;  // keys a bucket, on average
constexpr int kMostBucketBits = 11;                // more write streams than this thrash the caches

int bits_of(uint64_t value) {
  return static_cast<int>(std::bit_width(value));
}

struct KeyShape {
  int item_bits;
  int user_bits;
  int bucket_bits;

  size_t bucket(uint64_t key) const {
    const uint64_t user = key >> 32;
    return static_cast<size_t>(user_bits > bucket_bits ? user >> (user_bits - bucket_bits) : user);
  }
  bool fits_word() const { return item_bits + std::max(0, user_bits - bucket_bits) <= 32; }
  uint32_t pack(uint64_t key, uint64_t first_user) const {
    return static_cast<uint32_t>((((key >> 32) - first_user) << item_bits) |
                                 static_cast<uint32_t>(key));
  }
  uint64_t unpack(uint32_t word, uint64_t first_user) const {
    const uint64_t mask = (uint64_t{1} << item_bits) - 1;
    return ((first_user + (uint64_t{word} >> item_bits)) << 32) | (word & mask);
  }
};

struct Highest {
  uint32_t user = 0;
  uint32_t item = 0;
  bool sorted = true;
};

Highest scan(std::span<const uint64_t> keys, const Executor& executor) {
  return executor.map_reduce(
      keys.size(), kChunk, Highest{},
      [&](size_t begin, size_t end) {
        Highest part;
        for (size_t i = begin; i < end; ++i) {
          part.user = std::max(part.user, static_cast<uint32_t>(keys[i] >> 32));
          part.item = std::max(part.item, static_cast<uint32_t>(keys[i]));
          part.sorted = part.sorted && (i == 0 || keys[i - 1] < keys[i]);
        }
        return part;
      },
      [](Highest a, Highest b) {
        return Highest{std::max(a.user, b.user), std::max(a.item, b.item), a.sorted && b.sorted};
      });
}

struct Buckets {
  std::vector<size_t> starts;  // buckets + 1
  size_t count() const { return starts.size() - 1; }
};

// Moves keys (and times) to `to` in the order of buckets, stable. Every chunk knows its place in
// every bucket beforehand.
Buckets divide(const KeyShape& shape, std::span<const uint64_t> keys,
               std::span<const int64_t> times, ScratchVector<uint64_t>& to,
               ScratchVector<int64_t>& to_times, const Executor& executor) {
  const size_t buckets = size_t{1} << shape.bucket_bits;
  const size_t chunks = (keys.size() + kChunk - 1) / kChunk;
  std::vector<std::vector<size_t>> place(chunks, std::vector<size_t>(buckets));
  executor.for_chunks(keys.size(), kChunk, [&](size_t begin, size_t end) {
    auto& counts = place[begin / kChunk];
    for (size_t i = begin; i < end; ++i) ++counts[shape.bucket(keys[i])];
  });
  Buckets result;
  result.starts.resize(buckets + 1);
  size_t total = 0;
  for (size_t b = 0; b < buckets; ++b) {
    result.starts[b] = total;
    for (auto& counts : place) total += std::exchange(counts[b], total);
  }
  result.starts[buckets] = total;
  to.resize(keys.size());
  to_times.resize(times.size());
  executor.for_chunks(keys.size(), kChunk, [&](size_t begin, size_t end) {
    auto& next = place[begin / kChunk];
    for (size_t i = begin; i < end; ++i) {
      const size_t at = next[shape.bucket(keys[i])]++;
      to[at] = keys[i];
      if (!times.empty()) to_times[at] = times[i];
    }
  });
  return result;
}

struct SortScratch {
  std::vector<uint32_t> words;
  std::vector<uint32_t> other;
  std::vector<std::pair<uint64_t, int64_t>> timed;
};

void radix_sort(std::vector<uint32_t>& words, std::vector<uint32_t>& other, uint32_t highest) {
  constexpr int kDigit = 9;
  other.resize(words.size());
  for (int shift = 0; shift < bits_of(highest); shift += kDigit) {
    std::array<uint32_t, 1 << kDigit> next{};
    for (const uint32_t word : words) ++next[(word >> shift) & (next.size() - 1)];
    uint32_t total = 0;
    for (uint32_t& place : next) total += std::exchange(place, total);
    for (const uint32_t word : words) other[next[(word >> shift) & (next.size() - 1)]++] = word;
    words.swap(other);
  }
}

void sort_bucket(const KeyShape& shape, std::span<uint64_t> keys, SortScratch& scratch) {
  if (keys.size() < 64 || !shape.fits_word()) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  const uint64_t first_user =
      std::min_element(keys.begin(), keys.end(), [](uint64_t a, uint64_t b) { return a < b; })[0] >>
      32;
  scratch.words.resize(keys.size());
  uint32_t highest = 0;
  for (size_t i = 0; i < keys.size(); ++i)
    highest |= scratch.words[i] = shape.pack(keys[i], first_user);
  radix_sort(scratch.words, scratch.other, highest);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = shape.unpack(scratch.words[i], first_user);
}

void sort_timed_bucket(std::span<uint64_t> keys, std::span<int64_t> times, SortScratch& scratch) {
  scratch.timed.resize(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) scratch.timed[i] = {keys[i], times[i]};
  std::sort(scratch.timed.begin(), scratch.timed.end());
  for (size_t i = 0; i < keys.size(); ++i) std::tie(keys[i], times[i]) = scratch.timed[i];
}

// Drops repeats in place; returns what is left. The first of equal keys has the earliest time.
size_t merge_repeats(std::span<uint64_t> keys, std::span<int64_t> times) {
  size_t kept = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (kept > 0 && keys[kept - 1] == keys[i]) continue;
    keys[kept] = keys[i];
    if (!times.empty()) times[kept] = times[i];
    ++kept;
  }
  return kept;
}

}  // namespace

void sort_and_merge(ScratchVector<uint64_t>& keys, ScratchVector<int64_t>& times,
                    const Executor& executor) {
  DIVNS_ASSERT(times.empty() || times.size() == keys.size());
  const Highest highest = scan(keys, executor);
  if (highest.sorted) return;
  KeyShape shape{bits_of(highest.item), bits_of(highest.user), 0};
  const int wanted = bits_of(keys.size() / kBucketTarget);
  shape.bucket_bits = std::min({wanted, kMostBucketBits, shape.user_bits});

  ScratchVector<uint64_t> sorted;
  ScratchVector<int64_t> sorted_times;
  const Buckets buckets = divide(shape, keys, times, sorted, sorted_times, executor);
  std::vector<SortScratch> scratch(static_cast<size_t>(executor.threads()));
  std::vector<size_t> kept(buckets.count());
  executor.for_chunks_with_worker(buckets.count(), 1, [&](int worker, size_t b, size_t) {
    const size_t begin = buckets.starts[b];
    const size_t size = buckets.starts[b + 1] - begin;
    const auto bucket = std::span(sorted).subspan(begin, size);
    const auto bucket_times =
        times.empty() ? std::span<int64_t>() : std::span(sorted_times).subspan(begin, size);
    auto& own = scratch[static_cast<size_t>(worker)];
    if (times.empty())
      sort_bucket(shape, bucket, own);
    else
      sort_timed_bucket(bucket, bucket_times, own);
    kept[b] = merge_repeats(bucket, bucket_times);
  });
  // Close the gaps that repeats left, in order, so that the moves never overtake each other.
  size_t end = 0;
  for (size_t b = 0; b < buckets.count(); ++b) {
    const size_t begin = buckets.starts[b];
    if (begin != end) {
      std::copy_n(sorted.begin() + static_cast<ptrdiff_t>(begin), kept[b],
                  sorted.begin() + static_cast<ptrdiff_t>(end));
      if (!times.empty())
        std::copy_n(sorted_times.begin() + static_cast<ptrdiff_t>(begin), kept[b],
                    sorted_times.begin() + static_cast<ptrdiff_t>(end));
    }
    end += kept[b];
  }
  sorted.resize(end);
  sorted_times.resize(times.empty() ? 0 : end);
  keys = std::move(sorted);
  times = std::move(sorted_times);
}

}  // namespace divns
