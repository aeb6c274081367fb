// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <cstdint>
#include <limits>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"

namespace divns {
namespace {

constexpr auto kReplace = Json::error_handler_t::replace;
constexpr const char* kContentHash = "content_hash";

// The text, or nothing, which no parser takes for JSON.
std::string_view bounded(std::string_view text) {
  return is_json_within(text, kDeepestJson, kMostJsonKeys) ? text : std::string_view();
}

template <class Test>
const Json* find_value(const Json& object, const char* key, const char* expected,
                       const std::string& file, Test&& test) {
  const auto found = object.find(key);
  if (found == object.end()) return nullptr;
  if (!test(*found))
    fail("{} is damaged: '{}' is {} where {} is expected.", file, key,
         json_line(*found).substr(0, 40), expected);
  return &*found;
}

std::string hash_of(const Json& json) {
  return hash128_hex(json_line(json));
}

}  // namespace

bool is_json_within(std::string_view text, int deepest, size_t most_keys) {
  int depth = 0;
  size_t keys = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) return false;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ':' && ++keys > most_keys) {
      return false;
    }
  }
  return true;
}

Json parse_json(std::string_view text) {
  return Json::parse(bounded(text));
}

Json parse_json_if_valid(std::string_view text) {
  return Json::parse(bounded(text), nullptr, false);
}

double json_number(const Json& object, const char* key, double otherwise, const std::string& file) {
  const Json* value = find_value(object, key, "a number", file,
                                 [](const Json& found) { return found.is_number(); });
  return value == nullptr ? otherwise : value->get<double>();
}

uint32_t json_count(const Json& object, const char* key, uint32_t otherwise,
                    const std::string& file) {
  const Json* value =
      find_value(object, key, "a whole number below 2^32", file, [](const Json& found) {
        return found.is_number_unsigned() &&
               found.get<uint64_t>() <= std::numeric_limits<uint32_t>::max();
      });
  return value == nullptr ? otherwise : value->get<uint32_t>();
}

std::string json_string(const Json& object, const char* key, const std::string& otherwise,
                        const std::string& file) {
  const Json* value =
      find_value(object, key, "text", file, [](const Json& found) { return found.is_string(); });
  return value == nullptr ? otherwise : value->get<std::string>();
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, kReplace);
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, kReplace);
}

std::string sealed_json_text(Json json) {
  json.erase(kContentHash);
  // Hashed as it will be read back: numbers and text as the printer writes them.
  json[kContentHash] = hash_of(parse_json(json_line(json)));
  return json_text(json) + "\n";
}

Json read_sealed_json(const std::string& path) {
  Json json = parse_json_if_valid(read_text_file(path, Links::kRefuse));
  if (!json.is_object()) fail("{} is damaged: it is not a JSON object.", path);
  if (!json.contains(kContentHash)) return json;
  const std::string hash = json_string(json, kContentHash, "", path);
  json.erase(kContentHash);
  if (hash_of(json) != hash)
    fail("{} was changed after divns wrote it: its content does not match the hash it carries.",
         path);
  return json;
}

}  // namespace divns
