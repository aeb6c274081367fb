// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace divns {

// "512M", "4G": a number of bytes with an optional K, M, G or T (powers of 1024). Throws Error for
// anything else.
uint64_t parse_bytes(const std::string& text);

}  // namespace divns
