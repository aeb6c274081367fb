// SPDX-License-Identifier: Apache-2.0
#include "divns/bytes.h"

#include <charconv>
#include <string_view>

#include "base/check.h"

namespace divns {

uint64_t parse_bytes(const std::string& text) {
  uint64_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, bytes);
  constexpr std::string_view kUnits = "KMGT";
  bool valid = error == std::errc() && rest + 1 >= end;
  if (valid && rest < end) {
    const size_t unit = kUnits.find(*rest);
    valid = unit != std::string_view::npos && bytes < uint64_t{1} << 23;
    if (valid) bytes <<= 10 * (unit + 1);
  }
  if (!valid)
    fail(
        "'{}' is not an amount of memory; write a number of bytes, or one with K, M, G or T, for "
        "example 4G.",
        text);
  return bytes;
}

}  // namespace divns
