// SPDX-License-Identifier: Apache-2.0
#include "data/file_feeds.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "data/records.h"

namespace divns {

FileFeeds::FileFeeds(std::span<const std::string> paths, Encoding encoding, LayoutOf layout_of)
    : paths_(paths), encoding_(encoding), layout_of_(std::move(layout_of)) {}

// Opens the file and lets its first block decide the layout.
void FileFeeds::open(Feed& feed) {
  const std::string& path = paths_[feed.file];
  feed.source = std::make_unique<TextSource>(path, encoding_);
  TextBlock first;
  if (!feed.source->next(first)) fail("{} is empty; at least one pair is expected.", path);
  feed.layout = layout_of_(path, first.text());
  if (feed.layout.kind == Layout::Kind::kDelimited)
    feed.source->cut_at([delimiter = feed.layout.delimiter](std::string_view lines) {
      return whole_records(lines, delimiter);
    });
  feed.source->take_back(first);
}

FileFeeds::Feed* FileFeeds::next_feed() {
  const std::lock_guard lock(mutex_);
  if (feeds_.size() < paths_.size() && first_error_ == SIZE_MAX) {
    Feed& feed = *feeds_.emplace_back(std::make_unique<Feed>());
    feed.file = feeds_.size() - 1;
    feed.threads = 1;
    return &feed;
  }
  Feed* found = nullptr;
  for (const auto& feed : feeds_)
    if (!feed->stopped && (found == nullptr || feed->threads < found->threads)) found = feed.get();
  if (found != nullptr) ++found->threads;
  return found;
}

void FileFeeds::stop(Feed& feed) {
  const std::lock_guard lock(mutex_);
  feed.stopped = true;
}

// The mutex of the feed orders the threads of one file; errors of the source end it.
bool FileFeeds::next_block(Feed& feed, TextBlock& block) {
  const std::lock_guard lock(feed.mutex);
  bool more = false;
  {
    const std::lock_guard feeds_lock(mutex_);
    more = !feed.stopped && feed.file <= first_error_;
  }
  try {
    if (more && feed.source == nullptr) open(feed);
    more = more && feed.source->next(block);
  } catch (...) {
    const std::lock_guard feeds_lock(mutex_);
    feed.error = std::current_exception();
    first_error_ = std::min(first_error_, feed.file);
    more = false;
  }
  if (more) return true;
  feed.source.reset();
  stop(feed);
  return false;
}

void FileFeeds::work(const Parse& parse) {
  TextBlock block;
  while (Feed* const feed = next_feed()) {
    while (next_block(*feed, block)) {
      BlockLines result;
      try {
        result.lines = parse(feed->file, feed->layout, block);
      } catch (const LineError& error) {
        result.error = error;
      }
      const std::lock_guard lock(mutex_);
      if (result.error) {
        feed->stopped = true;
        first_error_ = std::min(first_error_, feed->file);
      }
      feed->blocks.resize(std::max<size_t>(feed->blocks.size(), block.index + 1));
      feed->blocks[block.index] = std::move(result);
    }
    const std::lock_guard lock(mutex_);
    --feed->threads;
  }
}

std::vector<Layout> FileFeeds::finish() {
  std::vector<Layout> layouts;
  for (const auto& feed : feeds_) {
    uint64_t lines = 0;
    for (const BlockLines& block : feed->blocks) {
      if (block.error)
        fail("{}:{}: {}", paths_[feed->file], lines + block.error->line, block.error->sentence);
      lines += block.lines;
    }
    if (feed->error) std::rethrow_exception(feed->error);
    layouts.push_back(std::move(feed->layout));
  }
  return layouts;
}

}  // namespace divns
