// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace divns::http {

// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  int get() const { return number_; }
  void close();

 private:
  int number_ = -1;
};

// "127.0.0.1:8080", "[::1]:8080", "localhost:8080" or "8080" (loopback).
struct Address {
  std::string host;
  uint16_t port = 0;
};
// Throws Error.
Address parse_address(std::string_view text);

struct Listener {
  Descriptor socket;
  uint16_t port = 0;
  bool loopback = false;
};
// Throws Error where the address cannot be used.
Listener listen_on(const Address& address);

struct Accepted {
  Descriptor socket;
  std::string client;  // its address
  int error = 0;       // errno where there is no socket
};
Accepted accept_from(const Descriptor& listener);

// Raises the limit of open files of this process to at least `wanted`. Throws Error if it may not.
void allow_open_files(size_t wanted);

}  // namespace divns::http
