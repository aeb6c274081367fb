// SPDX-License-Identifier: Apache-2.0
// From the bytes of a connection to requests: the boundary where strangers' bytes are judged.
// HTTP/1.0 and 1.1 with bodies of a known length. What two programs could read differently is
// refused: bare line feeds, folded headers, spaces around names, a repeated Content-Length,
// Transfer-Encoding.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"

namespace divns::http {

struct RequestLimits {
  size_t head_bytes = 16 << 10;  // request line and headers
  size_t headers = 100;
  size_t body_bytes = 1 << 20;
};

class RequestReader {
 public:
  explicit RequestReader(const RequestLimits& limits) : limits_(limits) {}

  void add(std::string_view bytes) { buffer_.append(bytes); }
  // The next whole request, or nothing while bytes are missing. Throws BadRequest; the connection
  // is useless afterwards, because nobody knows where the next request would begin.
  std::optional<Request> next();
  // True once per request whose client waits for "100 Continue" before it sends the body.
  bool take_expectation() { return std::exchange(expects_, false); }
  // True if a part of a request has arrived.
  bool started() const { return !buffer_.empty() || request_.has_value(); }

 private:
  void read_head(std::string_view head);
  void read_header(std::string_view line);
  void check_head();

  RequestLimits limits_;
  std::string buffer_;
  size_t searched_ = 0;             // bytes of the buffer without an end of the head
  std::optional<Request> request_;  // the head, while its body is incomplete
  size_t body_size_ = 0;
  bool expects_ = false;
};

// Percent-decoding. Throws BadRequest for a broken escape, a control character, or text that is not
// UTF-8. `plus` is the character that '+' stands for: a space in queries.
std::string percent_decode(std::string_view text, char plus);

}  // namespace divns::http
