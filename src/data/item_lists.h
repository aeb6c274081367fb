// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "divns/interactions.h"
#include "divns/side_inputs.h"

namespace divns {

// A list of items with weights for each user, items ascending and distinct.
struct ItemLists {
  std::vector<uint64_t> offsets;  // users + 1
  std::vector<uint32_t> items;
  std::vector<float> weights;  // above 0
  uint64_t lines = 0;          // in the file, without a header
  uint64_t unknown = 0;        // of them with a user or item that the data do not have

  std::span<const uint32_t> row(uint32_t user) const {
    return std::span(items).subspan(offsets[user], offsets[user + 1] - offsets[user]);
  }
};

// Reads lines user,item[,weight] with original ids; the weight is 1 where it is left out. Lines
// with unknown ids are counted and ignored; the weights of repeated pairs are added up. A file
// without any known pair is refused.
ItemLists read_item_lists(const std::string& path, uint32_t users, uint32_t items,
                          const SideInputs& inputs);

}  // namespace divns
