// SPDX-License-Identifier: Apache-2.0
// A client on loopback that sends the bytes it is told to, well-formed or not.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace divns::testing {

struct Answer {
  int status = 0;
  std::string head;
  std::string body;
};

class HttpClient {
 public:
  explicit HttpClient(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // A test that waits for an answer that never comes fails instead of hanging.
    const timeval limit = {30, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("no connection");
  }
  ~HttpClient() { close(); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  void end_output() { ::shutdown(socket_, SHUT_WR); }
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // the server may close before it has read everything
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
  }
  // False at the end of the connection.
  bool receive_some() {
    char bytes[4096];
    const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got > 0) received_.append(bytes, static_cast<size_t>(got));
    return got > 0;
  }
  std::string receive_until(std::string_view end) {
    while (received_.find(end) == std::string::npos && receive_some()) {
    }
    return received_;
  }
  std::string receive_all() {
    while (receive_some()) {
    }
    return received_;
  }
  // The next answer. Status 0 if the connection ended before.
  Answer answer(bool has_body = true) {
    Answer result;
    receive_until("\r\n\r\n");
    const size_t end = received_.find("\r\n\r\n");
    if (end == std::string::npos) return result;
    result.head = received_.substr(0, end + 2);
    received_.erase(0, end + 4);
    result.status = std::atoi(result.head.c_str() + 9);
    const size_t at = result.head.find("Content-Length: ");
    const size_t size =
        at == std::string::npos || !has_body ? 0 : std::stoul(result.head.substr(at + 16));
    while (received_.size() < size && receive_some()) {
    }
    result.body = received_.substr(0, size);
    received_.erase(0, size);
    return result;
  }
  Answer get(const std::string& target, const std::string& headers = "") {
    send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
    return answer();
  }
  Answer post(const std::string& target, const std::string& body, const std::string& headers = "") {
    send("POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return answer();
  }

 private:
  int socket_;
  std::string received_;
};

}  // namespace divns::testing
