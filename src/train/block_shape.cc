// SPDX-License-Identifier: Apache-2.0
#include "train/block_shape.h"

#include <charconv>

#include "base/check.h"

namespace divns {
namespace {

constexpr uint32_t kMostBlocks = 4096;

}  // namespace

BlockShape parse_block_shape(const std::string& text) {
  BlockShape shape;
  const char* const end = text.data() + text.size();
  const auto [x, first] = std::from_chars(text.data(), end, shape.users);
  bool valid = first == std::errc() && x != end && *x == 'x';
  if (valid) {
    const auto [rest, second] = std::from_chars(x + 1, end, shape.items);
    valid = second == std::errc() && rest == end;
  }
  const auto in_range = [](uint32_t blocks) { return blocks >= 1 && blocks <= kMostBlocks; };
  if (!valid || !in_range(shape.users) || !in_range(shape.items))
    fail(
        "blocks is '{}', but it should be the number of user blocks, an x and the number of item "
        "blocks, each from 1 to {}, for example 4x4.",
        text, kMostBlocks);
  return shape;
}

}  // namespace divns
