// SPDX-License-Identifier: Apache-2.0
#include "data/text_source.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/check.h"

namespace divns {

TextSource::TextSource(const std::string& path, Encoding encoding, Input input)
    : path_(path), encoding_(encoding), source_(ByteSource::open(path, encoding, input)) {}

// Where the next line begins. Counting lines all along would cost as much as reading; the one
// sentence that needs a number reads the file again. A pipe cannot be read again.
std::string TextSource::place() const {
  if (!std::filesystem::is_regular_file(path_))
    return fmt::format("{}, {} bytes from its beginning", path_, bytes_);
  uint64_t bytes = bytes_;
  const auto again = ByteSource::open(path_, encoding_);
  std::vector<char> buffer(kBlock);
  uint64_t line = 1;
  while (bytes > 0) {
    const size_t got = again->read(buffer.data(), std::min<uint64_t>(buffer.size(), bytes));
    if (got == 0) break;
    line += static_cast<uint64_t>(
        std::count(buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(got), '\n'));
    bytes -= got;
  }
  return fmt::format("{}:{}", path_, line);
}

void TextSource::take_back(const TextBlock& first) {
  carry_.insert(0, first.buffer.data(), first.size);
  blocks_ = bytes_ = 0;
}

bool TextSource::next(TextBlock& block) {
  if (ended_ && carry_.empty()) return false;
  size_t filled = carry_.size();
  block.buffer.resize(std::max(kBlock, filled + kBlock / 2) + TextBlock::kPadding);
  std::memcpy(block.buffer.data(), carry_.data(), filled);
  carry_.clear();
  for (;;) {
    const size_t room = block.buffer.size() - TextBlock::kPadding;
    while (!ended_ && filled < room) {
      const size_t got = source_->read(block.buffer.data() + filled, room - filled);
      if (got == 0) ended_ = true;
      filled += got;
    }
    if (blocks_ == 0 && std::string_view(block.buffer.data(), filled).starts_with("\xef\xbb\xbf")) {
      filled -= 3;  // a byte-order mark says nothing in UTF-8
      std::memmove(block.buffer.data(), block.buffer.data() + 3, filled);
    }
    if (ended_) {
      if (filled == 0) return false;
      if (block.buffer[filled - 1] != '\n')
        block.buffer[filled++] = '\n';  // takes one byte of the padding
      block.buffer.resize(filled + TextBlock::kPadding);
      block.size = filled;
      break;
    }
    const void* newline = ::memrchr(block.buffer.data(), '\n', filled);
    block.size =
        newline == nullptr
            ? 0
            : static_cast<size_t>(static_cast<const char*>(newline) - block.buffer.data()) + 1;
    if (whole_records_) block.size = whole_records_({block.buffer.data(), block.size});
    if (block.size > 0) {
      carry_.assign(block.buffer.data() + block.size, filled - block.size);
      break;
    }
    if (filled > kLongestLine) {
      fail(
          "{}: this line is longer than {} MiB; interactions come one or a few to a line, so this "
          "is probably another kind of file.",
          place(), kLongestLine >> 20);
    }
    block.buffer.resize(2 * room + TextBlock::kPadding);
  }
  block.index = blocks_++;
  bytes_ += block.size;
  return true;
}

}  // namespace divns
