// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/json_fwd.h"

// Reading and writing by functions instead of Json's own members: those are templates, and each
// file that calls them spends seconds on compiling a parser and a printer of its own.
namespace divns {

// Throws Json::exception where `text` is not JSON.
Json parse_json(std::string_view text);
// The same, but what is not JSON comes back as a value that is neither object, array nor anything.
Json parse_json_if_valid(std::string_view text);

// Indented by two, for the eye. Ids, titles and paths are the owner's bytes: what is not UTF-8 in
// them becomes U+FFFD instead of a reason to stop.
std::string json_text(const Json& json);
// Without any white space.
std::string json_line(const Json& json);

}  // namespace divns
