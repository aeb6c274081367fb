// SPDX-License-Identifier: Apache-2.0
// Ids on their way from text to numbers 0..n-1. Most files hold plain decimal ids: a block of those
// keeps the numbers themselves and nothing is hashed. Any other id is interned. The final numbering
// is by sorted id, so it depends neither on the order of lines nor on which thread met an id first.
// All distinct ids are in memory; the columns need not be.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/spill_file.h"
#include "data/distinct_count.h"
#include "data/id_list.h"
#include "data/number_set.h"

namespace divns {

// An id as it stands in the file. Plain decimal numbers of at most nine digits (no sign, no leading
// zero) also come as a number.
struct IdToken {
  std::string_view text;
  uint32_t number = 0;
  bool is_number = false;
};

// Reads the plain decimal number that the whole text is, if it is one.
IdToken make_id_token(std::string_view text);

// Open-addressing set of strings; equal strings get equal numbers, counted from 0. The strings are
// copied.
class StringSet {
 public:
  uint32_t insert(std::string_view text, uint64_t hash);
  size_t size() const { return entries_.size(); }
  std::string_view text(size_t index) const { return entries_[index].text; }
  uint64_t hash(size_t index) const { return entries_[index].hash; }
  uint64_t bytes() const { return bytes_; }  // of the strings
  void clear();

 private:
  struct Entry {
    std::string_view text;
    uint64_t hash;
  };
  std::string_view keep(std::string_view text);
  void grow();

  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;  // entry + 1, or 0
  std::deque<std::vector<char>> arena_;
  size_t arena_used_ = 0;
  uint64_t bytes_ = 0;
};

// The distinct ids of all columns of one side, filled by many threads at once. The code of a text
// is (shard, number in the shard); a plain number is its own code.
class IdInterner {
 public:
  static constexpr uint32_t kShards = 64;
  static constexpr uint32_t kIndexBits = 26;

  // Translates the entries of a block's own set into codes.
  std::vector<uint32_t> intern(const StringSet& block);
  const StringSet& shard(uint32_t index) const { return shards_[index].set; }
  NumberSet& numbers() { return numbers_; }
  const NumberSet& numbers() const { return numbers_; }
  struct Size {
    uint64_t texts = 0;
    uint64_t text_bytes = 0;
    uint64_t numbers = 0;
    uint64_t number_bytes = 0;  // of their bitmap
  };
  Size size() const;
  void count(DistinctCount& count) const;
  // Gives back the memory of the texts.
  void forget_texts();

 private:
  struct Shard {
    mutable std::mutex mutex;
    StringSet set;
  };
  std::array<Shard, kShards> shards_;
  NumberSet numbers_;
};

// One column of ids of one block of text.
class IdColumn {
 public:
  explicit IdColumn(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : codes_(memory), counts_(memory) {}

  void add(const IdToken& id) {
    if (id.is_number)
      add_number(id.number);
    else
      add_text(id.text);
  }
  void add_number(uint32_t number) {
    if (is_text_) {
      add_decimal(number);
      return;
    }
    codes_.push_back(number);
  }
  // The same for many, without asking for room at each.
  void add_numbers(std::span<const uint32_t> numbers) {
    if (is_text_) {
      for (const uint32_t number : numbers) add_decimal(number);
      return;
    }
    codes_.insert(codes_.end(), numbers.begin(), numbers.end());
  }
  void clear();
  // After the block is parsed, and again for every block if another one turned out to hold text.
  void intern(IdInterner& interner);
  void to_text(IdInterner& interner);
  // Instead of intern(), where ids are only counted.
  void count(DistinctCount& count) const;
  // Where most ids follow their like, as users do in a file that is written user by user, keeps
  // each once with its count. For a block that is parsed, before intern().
  void join_repeats();
  // A copy that takes no more room than it needs, to be kept until all blocks are there.
  IdColumn copied(std::pmr::memory_resource* memory) const;
  // The same in a file.
  struct Stored {
    uint64_t codes_at = 0, codes = 0;
    uint64_t counts_at = 0, counts = 0;
    bool is_text = false;
  };
  Stored stored(SpillFile& file) const;
  void load(const Stored& stored, const SpillFile& file);

  bool is_text() const { return is_text_; }
  // A bound on the numbers: they have no bits but these.
  // How often each code stands there in a row; empty if each stands for itself alone.
  std::span<const uint32_t> counts() const { return counts_; }
  std::span<uint32_t> codes() { return codes_; }
  std::span<const uint32_t> codes() const { return codes_; }

 private:
  void add_text(std::string_view text);
  void add_decimal(uint32_t number);
  void become_text();

  std::pmr::vector<uint32_t> codes_;  // numbers, or entries of set_, or codes of the interner
  std::pmr::vector<uint32_t> counts_;
  bool is_text_ = false;
  std::unique_ptr<StringSet> set_;
};

// The final ids in order, and the way from codes to positions in that order.
class IdOrder {
 public:
  // Numbers are ordered by value; texts byte by byte, or by value if every one of them is a plain
  // decimal number. The interner must outlive the order.
  static IdOrder of(IdInterner& interner);

  // Turns the codes of a column into positions. May be called by many threads.
  void renumber(IdColumn& column) const;
  IdList& ids() { return ids_; }

 private:
  static constexpr uint32_t kIndexMask = (1U << IdInterner::kIndexBits) - 1;
  void order_numbers();
  void order_texts();

  IdInterner* interner_ = nullptr;
  bool identity_ = false;
  bool text_ = false;
  std::vector<uint32_t> by_code_;  // of texts
  std::array<uint32_t, IdInterner::kShards> base_{};
  IdList ids_;
};

}  // namespace divns
