// SPDX-License-Identifier: Apache-2.0
#include "data/reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>

#include "base/check.h"
#include "data/file_feeds.h"
#include "data/line_parser.h"
#include "data/sort_blocks.h"

namespace divns {
namespace {

constexpr size_t kMemoryPairsPerBlock = size_t{1} << 16;  // of pairs in memory

// How to supply a missing column.
struct Advice {
  std::string_view times;
  std::string_view ratings;
};

void require_columns(const ReadRequest& request, bool has_times, bool has_ratings,
                     std::string_view source, const Advice& advice) {
  const bool wants_times = request.keep_times || request.filter.from_time != INT64_MIN ||
                           request.filter.until_time != INT64_MAX;
  if (wants_times && !has_times)
    fail("{} has no times, but the split or the time window needs them; {}.", source, advice.times);
  if (std::isfinite(request.filter.min_rating) && !has_ratings)
    fail("{} has no ratings, but min_rating needs them; {}.", source, advice.ratings);
}

size_t length(const IdColumnView& ids) {
  return std::visit([](const auto& column) { return column.size(); }, ids);
}

void check_columns(const PairColumns& pairs) {
  const size_t count = length(pairs.users);
  const auto check = [count](size_t found, std::string_view name) {
    if (found != count)
      fail(
          "the column `{}` has {} entries, but the column `users` has {}; all columns must have "
          "the same length.",
          name, found, count);
  };
  check(length(pairs.items), "items");
  if (!pairs.ratings.empty()) check(pairs.ratings.size(), "ratings");
  if (!pairs.times.empty()) check(pairs.times.size(), "times");
  for (size_t n = 0; n < pairs.ratings.size(); ++n)
    if (!std::isfinite(pairs.ratings[n]))
      fail("the rating of pair {} is {}, but a finite number is expected.", n, pairs.ratings[n]);
}

// Entry n of a column. `text` keeps the digits of a number that is not a plain decimal id.
IdToken id_at(const IdColumnView& ids, size_t n, std::string& text) {
  if (const auto* numbers = std::get_if<std::span<const int64_t>>(&ids)) {
    text = fmt::format_int((*numbers)[n]).str();
    return make_id_token(text);
  }
  const std::string_view id = ids.index() == 1
                                  ? std::string_view(std::get<1>(ids)[n])
                                  : std::get<std::span<const std::string_view>>(ids)[n];
  if (id.empty()) fail("the id of pair {} is empty; every user and item needs an id.", n);
  return make_id_token(id);
}

}  // namespace

size_t PairColumns::size() const {
  return length(users);
}

PairReader::PairReader(ReadRequest request, ScratchSpace& disk, const Executor& executor)
    : request_(std::move(request)),
      disk_(disk),
      keep_times_(request_.keep_times || request_.keep_times_if_any),
      executor_(executor),
      blocks_(disk, executor.threads()) {}

uint64_t PairReader::bytes_of_ids() const {
  return request_.budget.bytes_of_ids(user_interner_->size(), item_interner_->size());
}

void PairReader::take(int worker, PairBlock& block, size_t file, uint64_t index) {
  counts_.below_rating += block.below_rating;
  counts_.outside_time += block.outside_time;
  counts_.pairs += block.size() + block.below_rating + block.outside_time;
  {
    const std::shared_lock lock(ids_mutex_);
    if (overflow_ != nullptr) {
      block.users.count(overflow_->user_count);
      block.items.count(overflow_->item_count);
      return;
    }
    block.users.join_repeats();
    block.users.intern(*user_interner_);
    block.items.intern(*item_interner_);
    blocks_.add(worker, block, file, index);
  }
  keep_within_budget();
}

void PairReader::keep_within_budget() {
  uint64_t room = 0;
  {
    const std::shared_lock lock(ids_mutex_);
    if (overflow_ != nullptr) return;
    room = request_.budget.pairs(bytes_of_ids(), keep_times_);
  }
  if (room == 0)
    overflow();
  else if (blocks_.pairs() > room)
    blocks_.spill();
}

void PairReader::overflow() {
  const std::unique_lock lock(ids_mutex_);
  if (overflow_ != nullptr) return;
  overflow_ = std::make_unique<Overflow>();
  overflow_->users = user_interner_->size();
  overflow_->items = item_interner_->size();
  user_interner_->count(overflow_->user_count);
  item_interner_->count(overflow_->item_count);
  user_interner_ = std::make_unique<IdInterner>();
  item_interner_ = std::make_unique<IdInterner>();
  blocks_.clear();
}

// Ids are taken to go on as they began: so long, and so many of them numbers.
void PairReader::refuse_overflow() const {
  constexpr double kMargin = 1.02;  // five standard deviations of a count
  const auto grown = [](IdInterner::Size size, const DistinctCount& count) {
    const auto ids = static_cast<double>(size.texts + size.numbers);
    const double factor = kMargin * std::max(1.0, count.estimate() / ids);
    for (uint64_t* part : {&size.texts, &size.text_bytes, &size.numbers, &size.number_bytes})
      *part = static_cast<uint64_t>(std::ceil(static_cast<double>(*part) * factor));
    return size;
  };
  const IdInterner::Size users = grown(overflow_->users, overflow_->user_count);
  const IdInterner::Size items = grown(overflow_->items, overflow_->item_count);
  request_.budget.refuse(request_.budget.bytes_of_ids(users, items), 0, keep_times_,
                         fmt::format("data with about {} users and {} items",
                                     users.texts + users.numbers, items.texts + items.numbers));
}

void PairReader::read(const PairColumns& pairs) {
  check_columns(pairs);
  if (request_.keep_times_if_any && pairs.times.empty()) keep_times_ = false;
  require_columns(request_, !pairs.times.empty(), !pairs.ratings.empty(), "the given pairs",
                  {"give the column `times`", "give the column `ratings`"});
  const size_t file = layouts_.size();
  executor_.for_chunks_with_worker(
      pairs.size(), kMemoryPairsPerBlock, [&](int worker, size_t begin, size_t end) {
        PairBlock block(request_.filter, keep_times_);
        std::string user_text;
        std::string item_text;
        for (size_t n = begin; n < end; ++n)
          block.add(id_at(pairs.users, n, user_text), id_at(pairs.items, n, item_text),
                    pairs.ratings.empty() ? 1 : pairs.ratings[n],
                    pairs.times.empty() ? 0 : pairs.times[n]);
        take(worker, block, file, begin / kMemoryPairsPerBlock);
      });
  Layout layout;
  layout.kind = Layout::Kind::kMemory;
  layout.format = "memory";
  layouts_.push_back(layout);
}

Layout PairReader::layout_of(const std::string& path, std::string_view head) {
  Layout layout;
  try {
    layout = find_layout(request_.layout, std::filesystem::path(path).filename().string(), head);
  } catch (const Error& error) {
    fail("{}: {}", path, error.what());
  }
  const bool has_times = layout.time >= 0 || !layout.time_key.empty();
  if (request_.keep_times_if_any && !has_times) keep_times_ = false;
  require_columns(request_, has_times, layout.rating >= 0 || !layout.rating_key.empty(), path,
                  {"name the column with --time-column", "name the column with --rating-column"});
  return layout;
}

void PairReader::read(std::span<const std::string> paths) {
  FileFeeds feeds(paths, request_.encoding, [&](const std::string& path, std::string_view head) {
    return layout_of(path, head);
  });
  const size_t first = layouts_.size();
  executor_.run(static_cast<size_t>(executor_.threads()), [&](int worker, size_t) {
    PairBlock pairs(request_.filter, keep_times_);  // stays in the cache from block to block
    feeds.work([&](size_t file, const Layout& layout, const TextBlock& block) {
      pairs.clear();
      const uint64_t lines = parse_block(layout, block.text(), block.index == 0, pairs);
      take(worker, pairs, first + file, block.index);
      return lines;
    });
  });
  for (Layout& layout : feeds.finish()) layouts_.push_back(std::move(layout));
}

PairReader::Result PairReader::finish(std::span<const size_t> group_of_file, size_t groups) {
  if (overflow_ != nullptr) refuse_overflow();
  const uint64_t bytes = bytes_of_ids();
  const bool timed = keep_times_;
  IdOrder users;
  IdOrder items;
  executor_.run(2, [&](int, size_t side) {
    if (side == 0)
      users = IdOrder::of(*user_interner_);
    else
      items = IdOrder::of(*item_interner_);
  });
  SortRequest sort{users, items};
  sort.user_count = static_cast<uint32_t>(users.ids().size());
  sort.item_count = static_cast<uint32_t>(items.ids().size());
  sort.timed = timed;
  sort.group_of_file = group_of_file;
  sort.groups = groups;
  sort.pairs_at_once = request_.budget.pairs(bytes, timed);
  Result result;
  result.groups = sort_blocks(
      blocks_, sort, disk_,
      [&](uint64_t pairs) {
        request_.budget.refuse(bytes, pairs, timed,
                               fmt::format("data with {} users, {} items and {} pairs of one user",
                                           sort.user_count, sort.item_count, pairs));
      },
      executor_);
  result.user_ids = std::move(users.ids());
  result.item_ids = std::move(items.ids());
  user_interner_.reset();
  item_interner_.reset();
  return result;
}

}  // namespace divns
