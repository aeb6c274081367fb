// SPDX-License-Identifier: Apache-2.0
#include "recommend/list_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/json.h"

namespace divns {
namespace {

bool is_plain(char c) {
  return c >= ' ' && c < '\x7f' && c != '"' && c != '\\';
}

void append_number(double value, std::string& out) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  if (!std::all_of(text.begin(), text.end(), is_plain)) {
    out += json_line(Json(text));
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void append_list_json(const ListNames& names, std::string_view label, const TopItems& lists,
                      size_t row, uint32_t most, std::string& out) {
  out += "{\"" + names.query + "\":";
  append_json_string(label, out);
  out += ",\"list\":[";
  for (uint32_t r = 0; r < std::min(most, lists.lengths[row]); ++r) {
    const uint32_t entry = lists.items_of(row)[r];
    out += r == 0 ? "{\"" : ",{\"";
    out += names.entry + "\":";
    append_json_string(names.id(entry), out);
    out += ",\"score\":";
    append_number(static_cast<double>(lists.scores_of(row)[r]), out);
    if (!names.name(entry).empty()) {
      out += ",\"name\":";
      append_json_string(names.name(entry), out);
    }
    out += '}';
  }
  out += "]}";
}

}  // namespace divns
