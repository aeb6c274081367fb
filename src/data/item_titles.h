// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "data/byte_source.h"
#include "data/id_list.h"

namespace divns {

// Titles for the given item ids from a text file whose first column is the id; empty where the file
// has none. The column of the title is a header name or a number from 1; empty means the second.
struct ItemTitles {
  std::vector<std::string> titles;  // one for each id
  size_t found = 0;
  size_t unknown = 0;  // lines whose id is not in the data
};
ItemTitles read_item_titles(const std::string& path, const std::string& column,
                            const IdList& item_ids, Encoding encoding = Encoding::kAuto);

}  // namespace divns
