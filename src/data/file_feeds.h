// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/layout.h"
#include "data/line_parser.h"
#include "data/text_source.h"

namespace divns {

// Hands out the blocks of several files to threads. A thread without a file opens the next one;
// when all are open, it helps with one that is. So several files are read, decompressed and parsed
// at the same time, and so are the blocks of a single file. Errors are gathered, and files after
// the first one with an error are left alone: which error is thrown does not depend on the threads.
class FileFeeds {
 public:
  // layout_of(path, head) says how a file is read.
  using LayoutOf = std::function<Layout(const std::string& path, std::string_view head)>;
  FileFeeds(std::span<const std::string> paths, Encoding encoding, LayoutOf layout_of);

  // parse(file, layout, block) for every block, which returns the number of its lines or throws
  // LineError. Called by each thread once.
  using Parse = std::function<uint64_t(size_t file, const Layout& layout, const TextBlock& block)>;
  void work(const Parse& parse);

  // After all threads are done: throws the first error, or returns the layouts.
  std::vector<Layout> finish();

 private:
  struct BlockLines {
    uint64_t lines = 0;
    std::optional<LineError> error;
  };
  struct Feed {
    size_t file = 0;
    std::mutex mutex;  // of the source
    std::unique_ptr<TextSource> source;
    Layout layout;
    bool stopped = false;
    std::exception_ptr error;        // of the source
    std::vector<BlockLines> blocks;  // guarded by the mutex of the feeds
    int threads = 0;                 // that work on it, guarded likewise
  };
  Feed* next_feed();
  void open(Feed& feed);
  bool next_block(Feed& feed, TextBlock& block);
  void stop(Feed& feed);

  std::span<const std::string> paths_;
  Encoding encoding_;
  LayoutOf layout_of_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Feed>> feeds_;  // of the files that were opened
  size_t first_error_ = SIZE_MAX;             // file
};

}  // namespace divns
