// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/json_fwd.h"

// Reading and writing by functions instead of Json's own members: those are templates, and each
// file that calls them spends seconds on compiling a parser and a printer of its own.
namespace divns {

// Json is parsed, copied and freed by recursion, and finds a key by looking at all of them. So both
// depth and the number of keys are bounded, by a scan before parsing.
inline constexpr int kDeepestJson = 64;
inline constexpr size_t kMostJsonKeys = 20'000;
bool is_json_within(std::string_view text, int deepest, size_t most_keys);

// Throws Json::exception where `text` is not JSON or beyond the bounds.
Json parse_json(std::string_view text);
// The same, but what is not JSON comes back as a value that is neither object, array nor anything.
Json parse_json_if_valid(std::string_view text);

// Values of documents that strangers may have written: the default where the key is missing, Error
// naming `file` where the value is of another type or, for whole numbers, out of range.
double json_number(const Json& object, const char* key, double otherwise, const std::string& file);
uint32_t json_count(const Json& object, const char* key, uint32_t otherwise,
                    const std::string& file);
std::string json_string(const Json& object, const char* key, const std::string& otherwise,
                        const std::string& file);

// Indented by two, for the eye. Ids, titles and paths may hold any bytes: what is not UTF-8 in them
// becomes U+FFFD.
std::string json_text(const Json& json);
// Without any white space.
std::string json_line(const Json& json);

// A document that carries the hash of its own content under "content_hash", so that damage and
// careless edits are found.
std::string sealed_json_text(Json json);
// Reads such a document from a folder of divns. Throws Error if it is no JSON object or does not
// match its hash. Documents of older versions carry no hash and are accepted without.
Json read_sealed_json(const std::string& path);

}  // namespace divns
