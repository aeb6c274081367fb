// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "divns/side_inputs.h"

namespace divns {

// Reads the groups of `items` items from a file of lines item,group with original ids. Groups are
// numbered in the order of their names. Items that the file does not name form a last group,
// "(none)". Unknown items are ignored; a file without any known item is refused.
ItemGroups read_item_groups(const std::string& path, uint32_t items, const FindId& find_item);

// find, or if it is empty: the number that the id is, if that is less than `count`.
FindId ids_or_rows(const FindId& find, uint32_t count);

}  // namespace divns
