// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace divns {

// A list of strings end to end: 8 bytes per string beside its text.
class IdList {
 public:
  IdList() = default;
  explicit IdList(std::span<const std::string> strings) {
    for (const std::string& string : strings) push_back(string);
  }

  void reserve(size_t strings, size_t bytes) {
    ends_.reserve(strings);
    text_.reserve(bytes);
  }
  void push_back(std::string_view string) {
    text_ += string;
    ends_.push_back(text_.size());
  }
  size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  std::string_view operator[](size_t index) const {
    const size_t begin = index == 0 ? 0 : ends_[index - 1];
    return {text_.data() + begin, static_cast<size_t>(ends_[index] - begin)};
  }
  std::string_view text() const { return text_; }
  // Where each string ends in the text.
  std::span<const uint64_t> ends() const { return ends_; }
  size_t memory() const { return text_.capacity() + ends_.capacity() * sizeof(uint64_t); }

  // Keeps the strings for whose index keep(index) holds, in place.
  template <class Keep>
  void keep_if(Keep&& keep) {
    size_t kept = 0;
    size_t bytes = 0;
    size_t begin = 0;
    for (size_t index = 0; index < ends_.size(); ++index) {
      const size_t end = ends_[index];
      if (keep(index)) {
        std::memmove(text_.data() + bytes, text_.data() + begin, end - begin);
        bytes += end - begin;
        ends_[kept++] = bytes;
      }
      begin = end;
    }
    ends_.resize(kept);
    text_.resize(bytes);
  }

 private:
  std::vector<uint64_t> ends_;
  std::string text_;
};

}  // namespace divns
