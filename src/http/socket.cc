// SPDX-License-Identifier: Apache-2.0
#include "http/socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/check.h"

namespace divns::http {
namespace {

// An address of either family.
struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = sizeof(sockaddr_storage);

  // The system's interface takes every family by the address of its common beginning.
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
  sockaddr_in& v4() { return reinterpret_cast<sockaddr_in&>(storage); }
  sockaddr_in6& v6() { return reinterpret_cast<sockaddr_in6&>(storage); }
  bool is_v6() const { return storage.ss_family == AF_INET6; }

  std::string host() {
    char text[INET6_ADDRSTRLEN] = {};
    const void* address = is_v6() ? static_cast<const void*>(&v6().sin6_addr) : &v4().sin_addr;
    ::inet_ntop(storage.ss_family, address, text, sizeof text);
    return text;
  }
  uint16_t port() { return ntohs(is_v6() ? v6().sin6_port : v4().sin_port); }
  bool is_loopback() {
    if (is_v6()) return IN6_IS_ADDR_LOOPBACK(&v6().sin6_addr);
    return ntohl(v4().sin_addr.s_addr) >> 24 == 127;
  }
};

SocketAddress resolve(const Address& address) {
  SocketAddress result;
  const std::string host = address.host == "localhost" ? "127.0.0.1" : address.host;
  if (::inet_pton(AF_INET, host.c_str(), &result.v4().sin_addr) == 1) {
    result.storage.ss_family = AF_INET;
    result.v4().sin_port = htons(address.port);
    result.size = sizeof(sockaddr_in);
  } else if (::inet_pton(AF_INET6, host.c_str(), &result.v6().sin6_addr) == 1) {
    result.storage.ss_family = AF_INET6;
    result.v6().sin6_port = htons(address.port);
    result.size = sizeof(sockaddr_in6);
  } else {
    fail(
        "'{}' is not an address of this machine; expected is a number such as 127.0.0.1, 0.0.0.0 "
        "or [::1], or localhost.",
        address.host);
  }
  return result;
}

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Address parse_address(std::string_view text) {
  Address address;
  const size_t colon = text.rfind(':');
  std::string_view host = colon == std::string_view::npos ? "127.0.0.1" : text.substr(0, colon);
  const std::string_view port = colon == std::string_view::npos ? text : text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  address.host = host;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() || host.empty())
    fail(
        "'{}' is not an address to listen on; expected is HOST:PORT, such as 127.0.0.1:8080 or "
        "[::1]:8080.",
        text);
  return address;
}

Listener listen_on(const Address& address) {
  SocketAddress place = resolve(address);
  Listener listener;
  listener.socket =
      Descriptor(::socket(place.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int socket = listener.socket.get();
  if (socket < 0) fail_by_system(errno, "a socket cannot be opened");
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket, place.raw(), place.size) != 0 || ::listen(socket, SOMAXCONN) != 0)
    fail("{}:{} cannot be listened on: {}; choose another address or port.", address.host,
         address.port, std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
  ::getsockname(socket, place.raw(), &place.size);
  listener.port = place.port();
  listener.loopback = place.is_loopback();
  return listener;
}

Accepted accept_from(const Descriptor& listener) {
  SocketAddress peer;
  Accepted accepted;
  accepted.socket =
      Descriptor(::accept4(listener.get(), peer.raw(), &peer.size, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (accepted.socket.get() < 0) {
    accepted.error = errno;
    return accepted;
  }
  const int on = 1;  // answers are written at once: nothing is gained by waiting for more
  ::setsockopt(accepted.socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  accepted.client = peer.host();
  return accepted;
}

void allow_open_files(size_t wanted) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  if (limit.rlim_max < wanted)
    fail(
        "{} open files are needed, but this process may have {}; allow fewer connections, or raise "
        "the limit with `ulimit -n`.",
        wanted, limit.rlim_max);
  limit.rlim_cur = wanted;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace divns::http
