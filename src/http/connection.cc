// SPDX-License-Identifier: Apache-2.0
#include "http/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace divns::http {

bool Connection::receive(size_t most) {
  char bytes[16 << 10];
  while (most > 0) {
    const ssize_t got = ::recv(socket.get(), bytes, std::min(most, sizeof bytes), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      readable = false;
      return errno == EAGAIN || errno == EWOULDBLOCK;
    }
    if (got == 0) {
      readable = false;
      ended = true;
      return true;
    }
    const auto size = static_cast<size_t>(got);
    if (state == State::kReading) reader.add(std::string_view(bytes, size));
    most -= size;
    if (size < sizeof bytes && most > 0 && !hung_up) {
      readable = false;  // an edge-triggered event follows when more arrives
      return true;
    }
  }
  return true;
}

bool Connection::send() {
  while (sent < output.size()) {
    const ssize_t took =
        ::send(socket.get(), output.data() + sent, output.size() - sent, MSG_NOSIGNAL);
    if (took < 0 && errno == EINTR) continue;
    if (took < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    sent += static_cast<size_t>(took);
  }
  output.clear();
  sent = 0;
  return true;
}

void Connection::end_output() {
  ::shutdown(socket.get(), SHUT_WR);
}

}  // namespace divns::http
