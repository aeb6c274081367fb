// SPDX-License-Identifier: Apache-2.0
// One JSON object a line: Amazon's reviews and Yelp's review file.
#include <simdjson.h>

#include <cstring>

#include "base/check.h"
#include "data/line_parser.h"
#include "data/text_source.h"

namespace divns {
namespace {

static_assert(TextBlock::kPadding >= simdjson::SIMDJSON_PADDING,
              "blocks must allow simdjson to look ahead");

// The text of a string, or the digits of a number: ids and times are written both ways. Empty for
// anything else.
std::string text_of(const simdjson::dom::element& object, const std::string& key) {
  simdjson::dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS) return {};
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  if (value.is_number()) return simdjson::minify(value);
  return {};
}

std::string required_text(const simdjson::dom::element& object, const std::string& key,
                          uint64_t line) {
  std::string text = text_of(object, key);
  if (text.empty())
    throw LineError{line, fmt::format("the object has no '{}', or an empty one.", key)};
  return text;
}

}  // namespace

uint64_t parse_json_lines(const Layout& layout, std::string_view block, PairBlock& pairs) {
  // The DOM interface picks its instructions at run time; on-demand parsing would be fixed to those
  // of the build.
  simdjson::dom::parser parser;
  uint64_t line = 0;
  const char* at = block.data();
  const char* end = at + block.size();
  while (at < end) {
    ++line;
    const auto* newline =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
    const auto length = static_cast<size_t>(newline - at);
    if (std::string_view(at, length).find_first_not_of(" \t\r") != std::string_view::npos) {
      simdjson::dom::element object;
      const auto error = parser.parse(at, length, false).get(object);
      if (error != simdjson::SUCCESS || !object.is_object())
        throw LineError{line,
                        fmt::format("a JSON object is expected, but: {}",
                                    error != simdjson::SUCCESS ? simdjson::error_message(error)
                                                               : "this is another kind of value")};
      const std::string user = required_text(object, layout.user_key, line);
      const std::string item = required_text(object, layout.item_key, line);
      const double rating =
          layout.rating_key.empty()
              ? 1
              : parse_rating(required_text(object, layout.rating_key, line), line);
      const int64_t time = layout.time_key.empty()
                               ? 0
                               : parse_time(required_text(object, layout.time_key, line), line);
      pairs.add(make_id_token(user), make_id_token(item), rating, time);
    }
    at = newline + 1;
  }
  return line;
}

}  // namespace divns
