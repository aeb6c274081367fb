// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/byte_source.h"

namespace divns {

// Whole lines of a text file, each ended by '\n'. kPadding readable bytes follow, for readers that
// look ahead.
struct TextBlock {
  static constexpr size_t kPadding = 64;
  std::vector<char> buffer;
  size_t size = 0;
  uint64_t index = 0;  // 0 for the first block of the file

  std::string_view text() const { return {buffer.data(), size}; }
};

// Cuts a file of any size into blocks of whole lines. Memory stays at one block however long the
// file is; a line longer than kLongestLine is refused, so neither a 100 MB line nor a zip bomb can
// fill the memory.
class TextSource {
 public:
  static constexpr size_t kBlock = size_t{1} << 20;
  static constexpr size_t kLongestLine = size_t{16} << 20;

  explicit TextSource(const std::string& path, Encoding encoding = Encoding::kAuto,
                      Input input = Input::kFileOrStream);
  // Blocks are cut where this says that whole records end, instead of at any line break. It is
  // asked for whole lines and returns how many bytes of them are whole records.
  void cut_at(std::function<size_t(std::string_view)> whole_records) {
    whole_records_ = std::move(whole_records);
  }
  // Takes the first block back, so that it is cut again.
  void take_back(const TextBlock& first);
  // The next block, or false at the end. Buffers of earlier blocks may be passed in again. Not
  // thread-safe.
  bool next(TextBlock& block);
  const std::string& path() const { return path_; }

 private:
  std::string place() const;

  std::string path_;
  Encoding encoding_;
  std::unique_ptr<ByteSource> source_;
  std::function<size_t(std::string_view)> whole_records_;
  std::string carry_;  // the beginning of a line whose end has not been read yet
  uint64_t blocks_ = 0;
  uint64_t bytes_ = 0;  // in the blocks given so far
  bool ended_ = false;
};

}  // namespace divns
