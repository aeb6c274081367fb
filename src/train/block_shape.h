// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace divns {

// Numbers of blocks that the users and the items are divided into.
struct BlockShape {
  uint32_t users = 1;
  uint32_t items = 1;

  bool is_whole() const { return users == 1 && items == 1; }
};

// "4x8": 4 user blocks and 8 item blocks. Throws Error for anything else.
BlockShape parse_block_shape(const std::string& text);

}  // namespace divns
