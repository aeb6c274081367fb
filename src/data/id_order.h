// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace divns {

// Whether a text is a decimal number without sign or leading zeros, of any length.
bool is_plain_decimal(std::string_view text);
// The order of plain decimals by value: shorter first, then digit by digit.
bool decimal_less(std::string_view a, std::string_view b);

// The places of distinct ids in ascending order: by value if all are plain decimals, byte by byte
// otherwise.
std::vector<uint32_t> order_of_ids(std::span<const std::string_view> ids);

}  // namespace divns
