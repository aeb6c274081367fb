// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace divns {

// Edits (insert, delete, replace, swap of neighbours) from a to b, letter case ignored.
size_t edit_distance(std::string_view a, std::string_view b);

// The known name closest to the given one if it is near enough to be a typing error. A given name
// without a dot is also compared with the last part of dotted names: "lamda" gives "divns.lambda".
// Otherwise the shortest name that contains the given one; otherwise empty.
std::string nearest_name(std::string_view given, std::span<const std::string> known);

// " Did you mean 'x'?" or nothing.
std::string did_you_mean(std::string_view given, std::span<const std::string> known);

}  // namespace divns
