// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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

// The same of bytes that come piece by piece.
class StreamHash128 {
 public:
  StreamHash128();
  ~StreamHash128();
  StreamHash128(const StreamHash128&) = delete;
  StreamHash128& operator=(const StreamHash128&) = delete;

  void add(std::span<const std::byte> bytes);
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace divns
