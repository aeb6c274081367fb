// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace divns {

uint64_t hash64(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}
uint64_t hash64(std::string_view text) {
  return hash64(std::as_bytes(std::span(text)));
}

namespace {

std::string hex_of(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string hash128_hex(std::span<const std::byte> bytes) {
  return hex_of(XXH3_128bits(bytes.data(), bytes.size()));
}
std::string hash128_hex(std::string_view text) {
  return hash128_hex(std::as_bytes(std::span(text)));
}

struct StreamHash128::State {
  XXH3_state_t* const state = XXH3_createState();
};

StreamHash128::StreamHash128() : state_(std::make_unique<State>()) {
  if (state_->state == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_->state);
}
StreamHash128::~StreamHash128() {
  XXH3_freeState(state_->state);
}
void StreamHash128::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_->state, bytes.data(), bytes.size());
}
std::string StreamHash128::hex() const {
  return hex_of(XXH3_128bits_digest(state_->state));
}

}  // namespace divns
