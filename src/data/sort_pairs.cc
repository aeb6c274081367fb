// SPDX-License-Identifier: Apache-2.0
#include "data/sort_pairs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace divns {
namespace {

// One pass divides the pairs into buckets of neighbouring users that fit the cache; within a bucket
// a pair is one word, (user - first user of the bucket) << item_bits | item, and a few counting
// passes sort the words.
constexpr uint32_t kMostBuckets = 2048;  // more write streams than this thrash the caches

struct Shape {
  Shape(uint32_t user_count, uint32_t item_count)
      : users(user_count),
        item_bits(static_cast<int>(std::bit_width(item_count == 0 ? 0 : item_count - 1))) {
    while ((uint64_t{users} >> bucket_bits) >= kMostBuckets) ++bucket_bits;
  }
  uint32_t users;
  int item_bits;
  int bucket_bits = 0;  // of users in a bucket

  size_t buckets() const { return (size_t{users} >> bucket_bits) + 1; }
  bool fits(int word_bits) const { return item_bits + bucket_bits <= word_bits; }
};

// body(user, begin, end) for pairs in a row that have the same user, as long as it returns true.
template <class Body>
bool for_runs(const UnsortedPairs& block, Body&& body) {
  size_t begin = 0;
  for (size_t run = 0; run < block.users.size(); ++run) {
    const size_t end = begin + (block.counts.empty() ? 1 : block.counts[run]);
    if (!body(block.users[run], begin, end)) return false;
    begin = end;
  }
  return true;
}

template <class Word>
struct Timed {
  Word word;
  int64_t time;
  auto operator<=>(const Timed&) const = default;
};

template <class Entry>
auto word_of(const Entry& entry) {
  if constexpr (std::is_integral_v<Entry>)
    return entry;
  else
    return entry.word;
}

template <class Word>
void radix_sort(std::span<Word> words, std::vector<Word>& scratch) {
  constexpr int kDigit = 9;
  Word any = 0;
  for (const Word word : words) any |= word;
  scratch.resize(words.size());
  std::span<Word> from = words;
  std::span<Word> to = scratch;
  for (int shift = 0; shift < static_cast<int>(std::bit_width(any)); shift += kDigit) {
    std::array<uint32_t, 1 << kDigit> next{};
    for (const Word word : from) ++next[(word >> shift) & (next.size() - 1)];
    uint32_t total = 0;
    for (uint32_t& place : next) total += std::exchange(place, total);
    for (const Word word : from) to[next[(word >> shift) & (next.size() - 1)]++] = word;
    std::swap(from, to);
  }
  if (from.data() != words.data()) std::copy(from.begin(), from.end(), words.begin());
}

// Entry is a word, or a word with its time.
template <class Entry>
class Sorter {
 public:
  using Word = decltype(word_of(std::declval<Entry>()));
  static constexpr bool kHasTimes = !std::is_integral_v<Entry>;

  Sorter(const Shape& shape, std::span<const UnsortedPairs> blocks, const Executor& executor)
      : shape_(shape), blocks_(blocks), executor_(executor) {}

  SortedPairs run() {
    divide();
    sort_buckets();
    return emit();
  }

 private:
  // Moves the pairs to entries_, bucket after bucket. Every block knows its place in every bucket
  // beforehand.
  void divide() {
    std::vector<std::vector<uint32_t>> counts(blocks_.size());
    executor_.for_chunks(blocks_.size(), 1, [&](size_t b, size_t) {
      counts[b].resize(shape_.buckets());
      for_runs(blocks_[b], [&](uint32_t user, size_t begin, size_t end) {
        counts[b][user >> shape_.bucket_bits] += static_cast<uint32_t>(end - begin);
        return true;
      });
    });
    starts_.resize(shape_.buckets() + 1);
    std::vector<std::vector<size_t>> places(blocks_.size(), std::vector<size_t>(shape_.buckets()));
    size_t total = 0;
    for (size_t bucket = 0; bucket < shape_.buckets(); ++bucket) {
      starts_[bucket] = total;
      for (size_t b = 0; b < blocks_.size(); ++b)
        places[b][bucket] = std::exchange(total, total + counts[b][bucket]);
    }
    starts_.back() = total;
    entries_.resize(total);
    executor_.for_chunks(blocks_.size(), 1, [&](size_t b, size_t) {
      const UnsortedPairs& block = blocks_[b];
      const auto low_bits = static_cast<uint32_t>((uint64_t{1} << shape_.bucket_bits) - 1);
      for_runs(block, [&](uint32_t user, size_t begin, size_t end) {
        size_t& place = places[b][user >> shape_.bucket_bits];
        const Word of_user = static_cast<Word>(user & low_bits) << shape_.item_bits;
        for (size_t i = begin; i < end; ++i) {
          const Word word = of_user | block.items[i];
          if constexpr (kHasTimes)
            entries_[place++] = {word, block.times[i]};
          else
            entries_[place++] = word;
        }
        return true;
      });
    });
  }

  std::span<Entry> bucket(size_t index) {
    return std::span(entries_).subspan(starts_[index], starts_[index + 1] - starts_[index]);
  }

  // Sorts each bucket and drops repeats in place; the first of equal pairs has the earliest time.
  void sort_buckets() {
    kept_.resize(shape_.buckets());
    std::vector<std::vector<Entry>> scratch(static_cast<size_t>(executor_.threads()));
    executor_.for_chunks_with_worker(shape_.buckets(), 1, [&](int worker, size_t index, size_t) {
      const std::span<Entry> entries = bucket(index);
      if constexpr (kHasTimes)
        std::sort(entries.begin(), entries.end());
      else
        radix_sort(entries, scratch[static_cast<size_t>(worker)]);
      const auto end =
          std::unique(entries.begin(), entries.end(),
                      [](const Entry& a, const Entry& b) { return word_of(a) == word_of(b); });
      kept_[index] = static_cast<size_t>(end - entries.begin());
    });
  }

  SortedPairs emit() {
    std::vector<size_t> places;
    size_t total = 0;
    for (const size_t kept : kept_) places.push_back(std::exchange(total, total + kept));
    SortedPairs result;
    result.rows.offsets.assign(size_t{shape_.users} + 1, total);
    result.rows.items.resize(total);
    result.times.resize(kHasTimes ? total : 0);
    executor_.for_chunks(shape_.buckets(), 1, [&](size_t index, size_t) {
      const Word item_mask = (Word{1} << shape_.item_bits) - 1;
      const uint64_t first_user = uint64_t{index} << shape_.bucket_bits;
      const uint64_t last_user =
          std::min<uint64_t>(shape_.users, first_user + (uint64_t{1} << shape_.bucket_bits));
      const auto entries = bucket(index).first(kept_[index]);
      size_t place = places[index];
      uint64_t user = first_user;  // whose row begins at or before `place`
      if (user < last_user) result.rows.offsets[user] = place;
      for (const Entry& entry : entries) {
        const Word word = word_of(entry);
        while (user < first_user + (word >> shape_.item_bits)) result.rows.offsets[++user] = place;
        if constexpr (kHasTimes) result.times[place] = entry.time;
        result.rows.items[place++] = static_cast<uint32_t>(word & item_mask);
      }
      while (user + 1 < last_user) result.rows.offsets[++user] = place;
    });
    return result;
  }

  const Shape& shape_;
  std::span<const UnsortedPairs> blocks_;
  const Executor& executor_;
  ScratchVector<Entry> entries_;
  std::vector<size_t> starts_;  // of the buckets, and the end
  std::vector<size_t> kept_;
};

// Whether the pairs ascend from line to line, without repeats, within the block and after `before`.
bool ascends(const UnsortedPairs& block, const UnsortedPairs* before) {
  std::optional<std::pair<uint32_t, uint32_t>> last;
  if (before != nullptr) last = {before->users.back(), before->items.back()};
  return for_runs(block, [&](uint32_t user, size_t begin, size_t end) {
    uint32_t disorder = last && std::pair(user, block.items[begin]) <= *last ? 1 : 0;
    for (size_t i = begin + 1; i < end; ++i)
      disorder |= block.items[i - 1] < block.items[i] ? 0U : 1U;
    last = {user, block.items[end - 1]};
    return disorder == 0;
  });
}

// Files are often written user by user. Where every pair is in its place already, rows are the
// blocks end to end; anything else gives nothing.
std::optional<SortedPairs> rows_in_order(std::span<const UnsortedPairs> all, uint32_t users,
                                         const Executor& executor) {
  std::vector<UnsortedPairs> blocks;
  std::copy_if(all.begin(), all.end(), std::back_inserter(blocks),
               [](const UnsortedPairs& block) { return !block.items.empty(); });
  std::atomic<bool> in_order = true;
  executor.for_chunks(blocks.size(), 1, [&](size_t b, size_t) {
    if (in_order.load(std::memory_order_relaxed) &&
        !ascends(blocks[b], b == 0 ? nullptr : &blocks[b - 1]))
      in_order.store(false, std::memory_order_relaxed);
  });
  if (!in_order.load()) return std::nullopt;

  std::vector<size_t> places;
  size_t total = 0;
  for (const UnsortedPairs& block : blocks)
    places.push_back(std::exchange(total, total + block.items.size()));
  const bool timed = !blocks.empty() && !blocks[0].times.empty();
  SortedPairs result;
  result.rows.offsets.assign(size_t{users} + 1, total);
  result.rows.items.resize(total);
  result.times.resize(timed ? total : 0);
  executor.for_chunks(blocks.size(), 1, [&](size_t b, size_t) {
    const UnsortedPairs& block = blocks[b];
    std::copy(block.items.begin(), block.items.end(), result.rows.items.data() + places[b]);
    if (timed) std::copy(block.times.begin(), block.times.end(), result.times.data() + places[b]);
    // Rows of all users up to this one, from the first without a row, begin here.
    uint64_t next = b == 0 ? 0 : uint64_t{blocks[b - 1].users.back()} + 1;
    for_runs(block, [&](uint32_t user, size_t begin, size_t) {
      while (next <= user) result.rows.offsets[next++] = places[b] + begin;
      return true;
    });
  });
  return result;
}

}  // namespace

SortedPairs sort_pairs(std::span<const UnsortedPairs> blocks, uint32_t users, uint32_t items,
                       const Executor& executor) {
  if (auto sorted = rows_in_order(blocks, users, executor)) return std::move(*sorted);
  const Shape shape(users, items);
  const bool timed = std::any_of(blocks.begin(), blocks.end(),
                                 [](const auto& block) { return !block.times.empty(); });
  if (timed) return Sorter<Timed<uint64_t>>(shape, blocks, executor).run();
  if (shape.fits(31)) return Sorter<uint32_t>(shape, blocks, executor).run();
  return Sorter<uint64_t>(shape, blocks, executor).run();
}

}  // namespace divns
