// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory_resource>
#include <span>
#include <vector>

#include "data/id_column.h"

namespace divns {

// What is dropped while reading. Bounds belong to the kept range.
struct PairFilter {
  double min_rating = -std::numeric_limits<double>::infinity();
  int64_t from_time = std::numeric_limits<int64_t>::min();
  int64_t until_time = std::numeric_limits<int64_t>::max();
};

// The pairs of one block of text: where the parsers put what they find.
class PairBlock {
 public:
  PairBlock(const PairFilter& filter, bool keep_times,
            std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : users(memory), items(memory), times(memory), filter_(filter), keep_times_(keep_times) {}

  // The rating is finite (1 where the file has none); time is in the file's own unit, seconds for
  // dates, 0 for none.
  void add(const IdToken& user, const IdToken& item, double rating, int64_t time) {
    if (rating < filter_.min_rating) {
      ++below_rating;
      return;
    }
    if (time < filter_.from_time || time > filter_.until_time) {
      ++outside_time;
      return;
    }
    users.add(user);
    items.add(item);
    if (keep_times_) times.push_back(time);
  }
  // The same for plain numbers of a file that has neither ratings nor times, so that no filter
  // applies.
  void add_numbers(std::span<const uint32_t> user_numbers, std::span<const uint32_t> item_numbers) {
    users.add_numbers(user_numbers);
    items.add_numbers(item_numbers);
    if (keep_times_) times.resize(times.size() + user_numbers.size());
  }
  void clear() {
    users.clear();
    items.clear();
    times.clear();
    below_rating = outside_time = 0;
  }
  // A copy that takes little room, to be kept; the block itself can be filled again.
  PairBlock settled(std::pmr::memory_resource* memory) const {
    PairBlock copy(filter_, keep_times_, memory);
    copy.users = users.copied(memory);
    copy.items = items.copied(memory);
    copy.times.assign(times.begin(), times.end());
    copy.below_rating = below_rating;
    copy.outside_time = outside_time;
    return copy;
  }
  // The same in a file. Blocks are loaded for their pairs alone.
  struct Stored {
    IdColumn::Stored users, items;
    uint64_t times_at = 0, times = 0;
  };
  Stored stored(SpillFile& file) const {
    Stored stored{users.stored(file), items.stored(file)};
    stored.times = times.size();
    stored.times_at = file.append(std::as_bytes(std::span(times)));
    return stored;
  }
  void load(const Stored& stored, const SpillFile& file) {
    users.load(stored.users, file);
    items.load(stored.items, file);
    times.resize(stored.times);
    file.read(stored.times_at, std::as_writable_bytes(std::span(times)));
  }
  size_t size() const { return items.codes().size(); }

  IdColumn users;
  IdColumn items;
  std::pmr::vector<int64_t> times;
  uint64_t below_rating = 0;
  uint64_t outside_time = 0;

 private:
  PairFilter filter_;
  bool keep_times_;
};

}  // namespace divns
