// SPDX-License-Identifier: Apache-2.0
#include "data/reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>

#include "base/check.h"
#include "data/line_parser.h"
#include "data/records.h"
#include "data/sort_pairs.h"
#include "data/text_source.h"
#include "divns/aligned.h"

namespace divns {
namespace {

constexpr size_t kMemoryPairsPerBlock = size_t{1} << 16;  // of pairs in memory
constexpr size_t kFirstPiece = size_t{4} << 20;  // of a thread's memory; later ones are larger

// Blocks are fetched one at a time and parsed by whoever fetched them. A bad line stops the
// fetching; of several, the first in the file is reported, so the sentence does not depend on the
// threads.
struct Feed {
  Feed(const std::string& path, Encoding encoding) : source(path, encoding) {}

  TextSource source;
  std::mutex mutex;
  std::optional<TextBlock> looked_at;  // the first block, which decided the layout
  bool stopped = false;
  std::exception_ptr source_error;

  bool next(TextBlock& block) {
    const std::lock_guard lock(mutex);
    if (stopped) return false;
    if (looked_at) {
      block = std::move(*looked_at);
      looked_at.reset();
      return true;
    }
    try {
      return source.next(block);
    } catch (...) {
      source_error = std::current_exception();
      stopped = true;
      return false;
    }
  }
};

struct BlockResult {
  std::optional<PairBlock> pairs;  // none after an error
  uint64_t lines = 0;
  uint64_t bytes = 0;
  std::optional<LineError> error;
};

void parse(const Layout& layout, const TextBlock& block, PairBlock& pairs, BlockResult& result) {
  const std::string_view text = block.text();
  result.bytes = text.size();
  pairs.clear();
  try {
    result.lines = parse_block(layout, text, block.index == 0, pairs);
  } catch (const LineError& error) {
    result.error = error;
  }
}

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

PairReader::PairReader(ReadRequest request, const Executor& executor)
    : request_(std::move(request)),
      keep_times_(request_.keep_times || request_.keep_times_if_any),
      executor_(executor) {
  for (int thread = 0; thread < executor.threads(); ++thread)
    memory_.emplace_back(kFirstPiece, &aligned_resource());
}

uint64_t PairReader::memory_for(uint64_t pairs) const {
  // Codes now, and later two copies of the keys (and times) while sorting.
  const uint64_t per_pair = 8 + 16 + (keep_times_ ? 24 : 0);
  return pairs * per_pair + user_interner_.memory() + item_interner_.memory();
}

void PairReader::check_memory() const {
  if (memory_for(counts_.pairs - counts_.below_rating - counts_.outside_time) >
      request_.memory_limit)
    fail(
        "the pairs need more than {} MiB of memory; raise memory_limit_mb, filter more, or use a "
        "part of the data.",
        request_.memory_limit >> 20);
}

void PairReader::take_block(PairBlock pairs, size_t file) {
  counts_.below_rating += pairs.below_rating;
  counts_.outside_time += pairs.outside_time;
  counts_.pairs += pairs.size() + pairs.below_rating + pairs.outside_time;
  blocks_.push_back({std::move(pairs), file});
}

size_t PairReader::read(const PairColumns& pairs) {
  check_columns(pairs);
  if (request_.keep_times_if_any && pairs.times.empty()) keep_times_ = false;
  require_columns(request_, !pairs.times.empty(), !pairs.ratings.empty(), "the given pairs",
                  {"give the column `times`", "give the column `ratings`"});
  const size_t file = layouts_.size();
  std::vector<std::optional<PairBlock>> blocks((pairs.size() + kMemoryPairsPerBlock - 1) /
                                               kMemoryPairsPerBlock);
  executor_.for_chunks_with_worker(
      pairs.size(), kMemoryPairsPerBlock, [&](int worker, size_t begin, size_t end) {
        PairBlock block(request_.filter, keep_times_);
        std::string user_text;
        std::string item_text;
        for (size_t n = begin; n < end; ++n)
          block.add(id_at(pairs.users, n, user_text), id_at(pairs.items, n, item_text),
                    pairs.ratings.empty() ? 1 : pairs.ratings[n],
                    pairs.times.empty() ? 0 : pairs.times[n]);
        block.users.join_repeats();
        block.users.intern(user_interner_);
        block.items.intern(item_interner_);
        blocks[begin / kMemoryPairsPerBlock] = block.settled(&memory_[static_cast<size_t>(worker)]);
      });
  for (auto& block : blocks) take_block(std::move(*block), file);
  Layout layout;
  layout.kind = Layout::Kind::kMemory;
  layout.format = "memory";
  layouts_.push_back(layout);
  check_memory();
  return file;
}

size_t PairReader::read(const std::string& path) {
  Feed feed(path, request_.encoding);
  feed.looked_at.emplace();
  if (!feed.source.next(*feed.looked_at)) fail("{} is empty; at least one pair is expected.", path);
  Layout layout;
  try {
    layout = find_layout(request_.layout, std::filesystem::path(path).filename().string(),
                         feed.looked_at->text());
  } catch (const Error& error) {
    fail("{}: {}", path, error.what());
  }
  if (layout.kind == Layout::Kind::kDelimited) {
    feed.source.cut_at([delimiter = layout.delimiter](std::string_view lines) {
      return whole_records(lines, delimiter);
    });
    feed.source.take_back(*feed.looked_at);
    feed.looked_at.reset();
  }
  const bool has_times = layout.time >= 0 || !layout.time_key.empty();
  if (request_.keep_times_if_any && !has_times) keep_times_ = false;
  require_columns(request_, has_times, layout.rating >= 0 || !layout.rating_key.empty(), path,
                  {"name the column with --time-column", "name the column with --rating-column"});

  std::mutex mutex;
  std::vector<BlockResult> results;
  uint64_t pairs_so_far = counts_.pairs;
  const size_t file = layouts_.size();
  executor_.run(memory_.size(), [&](int worker, size_t) {
    TextBlock block;
    PairBlock pairs(request_.filter, keep_times_);  // stays in the cache from block to block
    while (feed.next(block)) {
      BlockResult result;
      parse(layout, block, pairs, result);
      if (!result.error) {
        pairs.users.join_repeats();
        pairs.users.intern(user_interner_);
        pairs.items.intern(item_interner_);
        result.pairs = pairs.settled(&memory_[static_cast<size_t>(worker)]);
      }
      const std::lock_guard lock(mutex);
      pairs_so_far += pairs.size();
      if (result.error || memory_for(pairs_so_far) > request_.memory_limit) {
        const std::lock_guard feed_lock(feed.mutex);
        feed.stopped = true;
      }
      results.resize(std::max<size_t>(results.size(), block.index + 1));
      results[block.index] = std::move(result);
    }
  });

  uint64_t lines = 0;
  for (BlockResult& result : results) {
    if (result.error) fail("{}:{}: {}", path, lines + result.error->line, result.error->sentence);
    lines += result.lines;
    counts_.bytes += result.bytes;
    take_block(std::move(*result.pairs), file);
  }
  if (feed.source_error) std::rethrow_exception(feed.source_error);
  counts_.lines += lines;
  layouts_.push_back(layout);
  check_memory();
  return file;
}

PairReader::Result PairReader::finish(bool merge_files) {
  std::vector<IdColumn*> user_columns;
  std::vector<IdColumn*> item_columns;
  for (Parsed& block : blocks_) {
    user_columns.push_back(&block.pairs.users);
    item_columns.push_back(&block.pairs.items);
  }
  IdOrder users;
  IdOrder items;
  executor_.run(2, [&](int, size_t side) {
    if (side == 0)
      users = IdOrder::of_columns(user_columns, user_interner_, executor_);
    else
      items = IdOrder::of_columns(item_columns, item_interner_, executor_);
  });

  executor_.for_chunks(blocks_.size(), 1, [&](size_t b, size_t) {
    users.renumber(blocks_[b].pairs.users.codes());
    items.renumber(blocks_[b].pairs.items.codes());
  });

  Result result;
  result.user_ids = std::move(users.ids());
  result.item_ids = std::move(items.ids());
  std::vector<std::vector<UnsortedPairs>> unsorted(merge_files ? 1 : layouts_.size());
  for (const Parsed& block : blocks_)
    unsorted[merge_files ? 0 : block.file].push_back(
        {block.pairs.users.codes(), block.pairs.users.counts(), block.pairs.items.codes(),
         keep_times_ ? std::span(block.pairs.times) : std::span<const int64_t>()});
  for (const auto& file : unsorted) {
    SortedPairs sorted = sort_pairs(file, static_cast<uint32_t>(result.user_ids.size()),
                                    static_cast<uint32_t>(result.item_ids.size()), executor_);
    PairList& list = result.files.emplace_back();
    list.rows = std::move(sorted.rows);
    list.times = std::move(sorted.times);
  }
  blocks_.clear();
  for (auto& memory : memory_) memory.release();
  return result;
}

}  // namespace divns
