// SPDX-License-Identifier: Apache-2.0
#include "data/id_column.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/check.h"
#include "base/hash.h"
#include "data/id_order.h"

namespace divns {
namespace {

constexpr size_t kArenaChunk = size_t{1} << 16;
constexpr size_t kNumbersAtOnce = 8192;

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
    arena_used_ = 0;
  }
  char* place = arena_.back().data() + arena_used_;
  std::memcpy(place, text.data(), text.size());
  arena_used_ += text.size();
  bytes_ += text.size();
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

IdInterner::Size IdInterner::size() const {
  Size size{.numbers = numbers_.size(), .number_bytes = numbers_.memory()};
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    size.texts += shard.set.size();
    size.text_bytes += shard.set.bytes();
  }
  return size;
}

void IdInterner::count(DistinctCount& count) const {
  std::array<char, 12> buffer{};
  numbers_.for_each([&](uint32_t number) { count.add(hash64(decimal(number, buffer))); });
  for (const Shard& shard : shards_)
    for (size_t i = 0; i < shard.set.size(); ++i) count.add(shard.set.hash(i));
}

void IdInterner::forget_texts() {
  for (Shard& shard : shards_) shard.set.clear();
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
  is_text_ = false;
  set_.reset();
}

IdColumn IdColumn::copied(std::pmr::memory_resource* memory) const {
  DIVNS_ASSERT(set_ == nullptr);
  IdColumn copy(memory);
  copy.codes_.assign(codes_.begin(), codes_.end());
  copy.counts_.assign(counts_.begin(), counts_.end());
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
  if (!is_text_) interner.numbers().insert(codes_);
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

void IdColumn::count(DistinctCount& count) const {
  std::array<char, 12> buffer{};
  if (!is_text_)
    for (const uint32_t number : codes_) count.add(hash64(decimal(number, buffer)));
  else
    for (size_t i = 0; i < set_->size(); ++i) count.add(set_->hash(i));
}

IdColumn::Stored IdColumn::stored(SpillFile& file) const {
  DIVNS_ASSERT(set_ == nullptr);
  Stored stored{.codes = codes_.size(), .counts = counts_.size(), .is_text = is_text_};
  stored.codes_at = file.append(std::as_bytes(std::span(codes_)));
  stored.counts_at = file.append(std::as_bytes(std::span(counts_)));
  return stored;
}

void IdColumn::load(const Stored& stored, const SpillFile& file) {
  clear();
  codes_.resize(stored.codes);
  counts_.resize(stored.counts);
  is_text_ = stored.is_text;
  file.read(stored.codes_at, std::as_writable_bytes(std::span(codes_)));
  file.read(stored.counts_at, std::as_writable_bytes(std::span(counts_)));
}

void IdOrder::order_numbers() {
  const NumberSet& numbers = interner_->numbers();
  uint32_t highest = 0;
  std::array<char, 12> buffer{};
  ids_.reserve(numbers.size(), 8 * numbers.size());
  numbers.for_each([&](uint32_t number) {
    ids_.push_back(decimal(number, buffer));
    highest = number;
  });
  identity_ = numbers.size() == size_t{highest} + 1;
}

void IdOrder::order_texts() {
  text_ = true;
  // Numbers join the texts.
  StringSet decimals;
  std::array<char, 12> buffer{};
  interner_->numbers().for_each([&](uint32_t number) {
    const std::string_view text = decimal(number, buffer);
    decimals.insert(text, hash64(text));
    if (decimals.size() < kNumbersAtOnce) return;
    interner_->intern(decimals);
    decimals.clear();
  });
  interner_->intern(decimals);
  std::vector<std::string_view> texts;
  const IdInterner::Size size = interner_->size();
  texts.reserve(size.texts);
  for (uint32_t s = 0; s < IdInterner::kShards; ++s) {
    base_[s] = static_cast<uint32_t>(texts.size());
    for (size_t i = 0; i < interner_->shard(s).size(); ++i)
      texts.push_back(interner_->shard(s).text(i));
  }
  const std::vector<uint32_t> order = order_of_ids(texts);
  by_code_.resize(texts.size());
  ids_.reserve(texts.size(), size.text_bytes);
  for (uint32_t place = 0; place < order.size(); ++place) {
    by_code_[order[place]] = place;
    ids_.push_back(texts[order[place]]);
  }
}

void IdOrder::renumber(IdColumn& column) const {
  if (identity_) return;
  if (text_) column.to_text(*interner_);
  const std::span<uint32_t> codes = column.codes();
  if (text_)
    for (uint32_t& code : codes)
      code = by_code_[base_[code >> IdInterner::kIndexBits] + (code & kIndexMask)];
  else
    for (uint32_t& code : codes) code = interner_->numbers().rank(code);
}

IdOrder IdOrder::of(IdInterner& interner) {
  IdOrder order;
  order.interner_ = &interner;
  interner.numbers().prepare_ranks();
  if (interner.size().texts == 0) {
    order.order_numbers();
    return order;
  }
  order.order_texts();
  // Columns of plain numbers still have to be looked up; others do not.
  if (interner.numbers().size() == 0) interner.forget_texts();
  return order;
}

}  // namespace divns
