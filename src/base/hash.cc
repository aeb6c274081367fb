// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace divns {

uint64_t hash64(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}
uint64_t hash64(std::string_view text) {
  return hash64(std::as_bytes(std::span(text)));
}

std::string hash128_hex(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}
std::string hash128_hex(std::string_view text) {
  return hash128_hex(std::as_bytes(std::span(text)));
}

}  // namespace divns
