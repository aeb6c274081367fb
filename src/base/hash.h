// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace divns {

// XXH3, 64 bits: finds damage and tells contents apart; not a defence against forgers.
uint64_t hash64(std::span<const std::byte> bytes);
uint64_t hash64(std::string_view text);
// XXH3, 128 bits, as 32 lower-case hexadecimal digits: names of contents.
std::string hash128_hex(std::span<const std::byte> bytes);
std::string hash128_hex(std::string_view text);

}  // namespace divns
