// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

namespace divns {
namespace {

constexpr auto kReplace = Json::error_handler_t::replace;

}  // namespace

Json parse_json(std::string_view text) {
  return Json::parse(text);
}

Json parse_json_if_valid(std::string_view text) {
  return Json::parse(text, nullptr, false);
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, kReplace);
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, kReplace);
}

}  // namespace divns
