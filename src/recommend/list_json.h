// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "divns/ranked_lists.h"

namespace divns {

// Appends one list, the same text wherever lists are written as JSON:
//   {"user":"alice","list":[{"item":"42","score":1.5,"name":"Heat"},..]}
// At most `most` entries; `name` is left out where it is empty.
void append_list_json(const ListNames& names, std::string_view label, const TopItems& lists,
                      size_t row, uint32_t most, std::string& out);

// A JSON string. Bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string_view text, std::string& out);

}  // namespace divns
