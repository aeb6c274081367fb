// SPDX-License-Identifier: Apache-2.0
#include "data/transcoder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"

namespace divns {
namespace {

constexpr size_t kLookedAt = 4096;

// Characters 0x80 to 0x9f of Windows-1252; 0 where it has none.
constexpr std::array<uint16_t, 32> kWindows = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

void append_utf8(uint32_t code, std::string& out) {
  const auto add = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    add(0xe0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3f));
  } else {
    add(0xf0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3f));
    add(0x80 | (code >> 6 & 0x3f));
  }
  add(0x80 | (code & 0x3f));
}

// UTF-16 by a byte-order mark, or by zeros in every other byte: text has no NUL.
bool looks_like_utf16(std::string_view start) {
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) return true;
  size_t zeros[2] = {0, 0};
  for (size_t i = 0; i < start.size(); ++i)
    if (start[i] == '\0') ++zeros[i % 2];
  return std::max(zeros[0], zeros[1]) * 4 > start.size();
}

// Gives the bytes that were looked at back before the rest.
class Prefixed : public ByteSource {
 public:
  Prefixed(std::string start, std::unique_ptr<ByteSource> rest)
      : start_(std::move(start)), rest_(std::move(rest)) {}
  size_t read(char* out, size_t size) override {
    if (given_ == start_.size()) return rest_->read(out, size);
    const size_t count = start_.copy(out, size, given_);
    given_ += count;
    return count;
  }

 private:
  std::string start_;
  std::unique_ptr<ByteSource> rest_;
  size_t given_ = 0;
};

class Transcoder : public ByteSource {
 public:
  Transcoder(std::unique_ptr<ByteSource> source, Encoding encoding, std::string path)
      : source_(std::move(source)),
        encoding_(encoding),
        path_(std::move(path)),
        input_(size_t{1} << 16) {}

  size_t read(char* out, size_t size) override {
    while (given_ == text_.size()) {
      text_.clear();
      given_ = 0;
      const size_t got = source_->read(input_.data() + kept_, input_.size() - kept_);
      if (got == 0 && kept_ > 0)
        fail("{} ends within a character of UTF-16; it is cut short or in another encoding.",
             path_);
      if (got == 0) return 0;
      decode(got + kept_);
    }
    const size_t count = text_.copy(out, size, given_);
    given_ += count;
    return count;
  }

 private:
  void decode(size_t size) {
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(input_[i]); };
    size_t at = 0;
    if (encoding_ == Encoding::kLatin1) {
      for (; at < size; ++at) {
        const uint8_t c = byte(at);
        const uint32_t windows = c >= 0x80 && c < 0xa0 ? kWindows[c - 0x80] : 0;
        append_utf8(windows != 0 ? windows : c, text_);
      }
    } else {
      if (!started_ && size >= 2) {
        started_ = true;
        big_endian_ = byte(0) == 0xfe && byte(1) == 0xff;
        if (big_endian_ || (byte(0) == 0xff && byte(1) == 0xfe)) at = 2;
      }
      const auto unit = [&](size_t i) -> uint32_t {
        const uint32_t first = byte(i);
        const uint32_t second = byte(i + 1);
        return big_endian_ ? first << 8U | second : second << 8U | first;
      };
      while (at + 2 <= size) {
        uint32_t code = unit(at);
        const bool high = code >= 0xd800 && code < 0xdc00;
        if (high && at + 4 > size) break;
        if (high && unit(at + 2) >= 0xdc00 && unit(at + 2) < 0xe000) {
          code = 0x10000 + ((code - 0xd800) << 10) + (unit(at + 2) - 0xdc00);
          at += 2;
        } else if (code >= 0xd800 && code < 0xe000) {
          fail("{} is not valid UTF-16; it is damaged or in another encoding.", path_);
        }
        append_utf8(code, text_);
        at += 2;
      }
    }
    kept_ = size - at;
    std::copy_n(input_.data() + at, kept_, input_.data());
  }

  std::unique_ptr<ByteSource> source_;
  Encoding encoding_;
  std::string path_;
  std::vector<char> input_;
  size_t kept_ = 0;  // bytes of a character whose end has not been read
  std::string text_;
  size_t given_ = 0;
  bool started_ = false;
  bool big_endian_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> transcoded(std::unique_ptr<ByteSource> source, Encoding encoding,
                                       const std::string& path) {
  if (encoding == Encoding::kUtf8) return source;
  if (encoding != Encoding::kAuto)
    return std::make_unique<Transcoder>(std::move(source), encoding, path);
  std::string start(kLookedAt, '\0');
  size_t filled = 0;
  for (size_t got = 1; got > 0 && filled < start.size(); filled += got)
    got = source->read(start.data() + filled, start.size() - filled);
  start.resize(filled);
  if (looks_like_utf16(start)) fail("{} is UTF-16; read it with --encoding utf-16.", path);
  return std::make_unique<Prefixed>(std::move(start), std::move(source));
}

}  // namespace divns
