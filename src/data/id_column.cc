// SPDX-License-Identifier: Apache-2.0
#include "data/id_column.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstring>

#include "base/check.h"
#include "base/hash.h"
#include "data/id_order.h"

namespace divns {
namespace {

constexpr size_t kArenaChunk = size_t{1} << 16;
constexpr size_t kBlocksPerChunk = 16;  // blocks of text a chunk of work
constexpr size_t kNumbersPerChunk = 8192;

std::string_view decimal(uint32_t number, std::array<char, 12>& buffer) {
  const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), static_cast<size_t>(end - buffer.data())};
}

}  // namespace

IdToken make_id_token(std::string_view text) {
  IdToken token{text, 0, !text.empty() && text.size() <= 9 && (text[0] != '0' || text.size() == 1)};
  for (size_t i = 0; i < text.size() && token.is_number; ++i) {
    const auto digit = static_cast<uint8_t>(text[i] - '0');
    token.is_number = digit < 10;
    token.number = token.number * 10 + digit;
  }
  return token;
}

std::string_view StringSet::keep(std::string_view text) {
  if (arena_.empty() || arena_used_ + text.size() > arena_.back().size()) {
    arena_.emplace_back(std::max(kArenaChunk, text.size()));
    arena_bytes_ += arena_.back().size();
    arena_used_ = 0;
  }
  char* place = arena_.back().data() + arena_used_;
  std::memcpy(place, text.data(), text.size());
  arena_used_ += text.size();
  return {place, text.size()};
}

void StringSet::grow() {
  std::vector<uint32_t> slots(std::max<size_t>(64, slots_.size() * 2));
  const size_t mask = slots.size() - 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t slot = entries_[i].hash & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<uint32_t>(i + 1);
  }
  slots_ = std::move(slots);
}

uint32_t StringSet::insert(std::string_view text, uint64_t hash) {
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && entry.text == text) return slots_[slot] - 1;
  }
  entries_.push_back({keep(text), hash});
  slots_[slot] = static_cast<uint32_t>(entries_.size());
  return slots_[slot] - 1;
}

void StringSet::clear() {
  *this = StringSet();
}

std::vector<uint32_t> IdInterner::intern(const StringSet& block) {
  // Entries sorted by shard, so that each lock is taken once.
  const auto shard_of = [&](size_t entry) {
    return static_cast<uint32_t>(block.hash(entry) >> 58);
  };
  std::array<uint32_t, kShards + 1> start{};
  for (size_t i = 0; i < block.size(); ++i) ++start[shard_of(i) + 1];
  for (uint32_t s = 0; s < kShards; ++s) start[s + 1] += start[s];
  std::vector<uint32_t> order(block.size());
  auto next = start;
  for (size_t i = 0; i < block.size(); ++i) order[next[shard_of(i)]++] = static_cast<uint32_t>(i);

  std::vector<uint32_t> codes(block.size());
  for (uint32_t s = 0; s < kShards; ++s) {
    if (start[s] == start[s + 1]) continue;
    const std::lock_guard lock(shards_[s].mutex);
    for (uint32_t i = start[s]; i < start[s + 1]; ++i) {
      const uint32_t index = shards_[s].set.insert(block.text(order[i]), block.hash(order[i]));
      if (index >= (1U << kIndexBits))
        fail("there are more than four thousand million distinct ids, which is too many.");
      codes[order[i]] = (s << kIndexBits) | index;
    }
  }
  return codes;
}

size_t IdInterner::size() const {
  size_t total = 0;
  for (const Shard& shard : shards_) total += shard.set.size();
  return total;
}

size_t IdInterner::memory() const {
  size_t total = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    total += shard.set.memory();
  }
  return total;
}

void IdColumn::add_text(std::string_view text) {
  if (!is_text_) become_text();
  codes_.push_back(set_->insert(text, hash64(text)));
}

void IdColumn::add_decimal(uint32_t number) {
  std::array<char, 12> buffer{};
  add_text(decimal(number, buffer));
}

void IdColumn::become_text() {
  is_text_ = true;
  set_ = std::make_unique<StringSet>();
  std::array<char, 12> buffer{};
  for (uint32_t& code : codes_) {
    const std::string_view text = decimal(code, buffer);
    code = set_->insert(text, hash64(text));
  }
}

void IdColumn::clear() {
  codes_.clear();
  counts_.clear();
  bits_ = 0;
  is_text_ = false;
  set_.reset();
}

IdColumn IdColumn::copied(std::pmr::memory_resource* memory) const {
  DIVNS_ASSERT(set_ == nullptr);
  IdColumn copy(memory);
  copy.codes_.assign(codes_.begin(), codes_.end());
  copy.counts_.assign(counts_.begin(), counts_.end());
  copy.bits_ = bits_;
  copy.is_text_ = is_text_;
  return copy;
}

void IdColumn::join_repeats() {
  DIVNS_ASSERT(counts_.empty());
  uint32_t runs = codes_.empty() ? 0 : 1;
  for (size_t i = 1; i < codes_.size(); ++i) runs += codes_[i - 1] != codes_[i] ? 1U : 0U;
  if (size_t{4} * runs > codes_.size()) return;
  counts_.reserve(runs);
  for (size_t begin = 0, end = 0; begin < codes_.size(); begin = end) {
    while (end < codes_.size() && codes_[end] == codes_[begin]) ++end;
    codes_[counts_.size()] = codes_[begin];
    counts_.push_back(static_cast<uint32_t>(end - begin));
  }
  codes_.resize(runs);
}

void IdColumn::intern(IdInterner& interner) {
  if (!is_text_)
    for (const uint32_t number : codes_) bits_ |= number;
  if (set_ == nullptr) return;
  const std::vector<uint32_t> translation = interner.intern(*set_);
  for (uint32_t& code : codes_) code = translation[code];
  set_.reset();
}

void IdColumn::to_text(IdInterner& interner) {
  if (is_text_) return;
  become_text();
  intern(interner);
}

void IdOrder::order_numbers(const std::vector<IdColumn*>& columns, size_t bound,
                            const Executor& executor) {
  std::vector<std::atomic<uint8_t>> seen(bound);
  executor.for_chunks(columns.size(), kBlocksPerChunk, [&](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b)
      for (const uint32_t number : columns[b]->codes())
        if (seen[number].load(std::memory_order_relaxed) == 0)
          seen[number].store(1, std::memory_order_relaxed);
  });
  by_code_.resize(seen.size());
  uint32_t count = 0;
  size_t highest = 0;
  for (size_t number = 0; number < seen.size(); ++number) {
    by_code_[number] = count;
    if (seen[number].load(std::memory_order_relaxed) == 0) continue;
    ++count;
    highest = number;
  }
  ids_.resize(count);
  executor.for_chunks(seen.size(), kNumbersPerChunk, [&](size_t begin, size_t end) {
    std::array<char, 12> buffer{};
    for (size_t number = begin; number < end; ++number)
      if (seen[number].load(std::memory_order_relaxed) != 0)
        ids_[by_code_[number]] = decimal(static_cast<uint32_t>(number), buffer);
  });
  identity_ = count == highest + 1;
}

void IdOrder::order_texts(const IdInterner& interner) {
  text_ = true;
  for (uint32_t s = 0; s < IdInterner::kShards; ++s) {
    base_[s] = static_cast<uint32_t>(ids_.size());
    for (size_t i = 0; i < interner.shard(s).size(); ++i)
      ids_.emplace_back(interner.shard(s).text(i));
  }
  by_code_ = sort_ids(ids_);
}

void IdOrder::renumber(std::span<uint32_t> codes) const {
  if (identity_) return;
  if (text_)
    for (uint32_t& code : codes)
      code = by_code_[base_[code >> IdInterner::kIndexBits] + (code & kIndexMask)];
  else
    for (uint32_t& code : codes) code = by_code_[code];
}

IdOrder IdOrder::of_columns(const std::vector<IdColumn*>& columns, IdInterner& interner,
                            const Executor& executor) {
  IdOrder order;
  uint32_t bits = 0;
  uint64_t ids = 0;
  bool any_text = false;
  for (const IdColumn* column : columns) {
    bits |= column->bits();
    ids += column->codes().size();
    any_text = any_text || column->is_text();
  }
  // A table over all numbers up to the highest must be in proportion to the data, or one absurd id
  // would cost gigabytes.
  constexpr uint64_t kAlwaysFine = uint64_t{1} << 24;
  const size_t bound = size_t{1} << std::bit_width(bits);
  if (!any_text && bound <= std::max(kAlwaysFine, 16 * ids)) {
    order.order_numbers(columns, bound, executor);
    return order;
  }
  executor.for_chunks(columns.size(), 1,
                      [&](size_t begin, size_t) { columns[begin]->to_text(interner); });
  order.order_texts(interner);
  return order;
}

}  // namespace divns
