// SPDX-License-Identifier: Apache-2.0
#include "http/request_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/escape.h"

namespace divns::http {
namespace {

bool is_token_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string in_lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void split_path(Request& request) {
  std::string_view rest = request.path;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the slash
    const size_t end = std::min(rest.find('/'), rest.size());
    request.segments.push_back(percent_decode(rest.substr(0, end), '+'));
    rest.remove_prefix(end);
  }
}

void split_query(std::string_view text, Request& request) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const size_t equals = std::min(pair.find('='), pair.size());
    request.query.emplace_back(percent_decode(pair.substr(0, equals), ' '),
                               percent_decode(pair.substr(std::min(equals + 1, pair.size())), ' '));
  }
}

void read_request_line(std::string_view line, Request& request) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last)
    throw BadRequest(400, "The request line is not METHOD TARGET VERSION.");
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(method) || method.size() > 16)
    throw BadRequest(400, "The method of the request is not a word.");
  if (!version.starts_with("HTTP/")) throw BadRequest(400, "This is not HTTP.");
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    throw BadRequest(505, "Only HTTP/1.0 and HTTP/1.1 are spoken here.");
  if (!target.starts_with('/') ||
      !std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c < '\x7f'; }))
    throw BadRequest(400, "The target of a request is a path, with other characters as %XX.");
  request.method = method;
  request.keep_alive = version == "HTTP/1.1";
  const size_t mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  split_path(request);
  if (mark < target.size()) split_query(target.substr(mark + 1), request);
}

}  // namespace

std::string percent_decode(std::string_view text, char plus) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i] == '+' ? plus : text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0)
        throw BadRequest(400, "A % in a path or query is followed by two hexadecimal digits.");
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      throw BadRequest(400, "Paths and queries hold no control characters.");
    result.push_back(c);
  }
  if (!is_utf8(result)) throw BadRequest(400, "Paths and queries are UTF-8.");
  return result;
}

void RequestReader::read_header(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
    throw BadRequest(400, "A header line is not NAME: VALUE.");
  const std::string_view value = trim_blanks(line.substr(colon + 1));
  for (const char c : value)
    if ((static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f')
      throw BadRequest(400, "A header holds a control character.");
  if (request_->headers.size() == limits_.headers)
    throw BadRequest(431, fmt::format("A request has at most {} headers.", limits_.headers));
  request_->headers.emplace_back(in_lower_case(line.substr(0, colon)), value);
}

// What the headers say about the connection and the body.
void RequestReader::check_head() {
  size_t hosts = 0;
  bool has_length = false;
  for (const auto& [name, value] : request_->headers) {
    if (name == "host") ++hosts;
    if (name == "transfer-encoding")
      throw BadRequest(501, "Bodies are sent with Content-Length, not with Transfer-Encoding.");
    if (name != "content-length") continue;
    const bool digits = !value.empty() && std::all_of(value.begin(), value.end(),
                                                      [](char c) { return c >= '0' && c <= '9'; });
    if (has_length || !digits)
      throw BadRequest(400, "Content-Length is one number of bytes, given once.");
    has_length = true;
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), body_size_);
    if (error != std::errc() || body_size_ > limits_.body_bytes)
      throw BadRequest(413, fmt::format("A body has at most {} bytes.", limits_.body_bytes));
  }
  if (hosts > 1 || (hosts == 0 && request_->keep_alive))
    throw BadRequest(400, "A request has exactly one Host header.");
  if (const std::string* connection = request_->header("connection")) {
    const std::string words = in_lower_case(*connection);
    if (words.find("close") != std::string::npos) request_->keep_alive = false;
    if (words.find("keep-alive") != std::string::npos) request_->keep_alive = true;
  }
  const std::string* expect = request_->header("expect");
  expects_ = expect != nullptr && in_lower_case(*expect) == "100-continue" && body_size_ > 0;
}

void RequestReader::read_head(std::string_view head) {
  request_.emplace();
  body_size_ = 0;
  bool first = true;
  while (!head.empty()) {
    const size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (line.find_first_of("\r\n") != std::string_view::npos)
      throw BadRequest(400, "Lines end with carriage return and line feed.");
    if (std::exchange(first, false)) {
      read_request_line(line, *request_);
    } else {
      read_header(line);
    }
  }
  check_head();
}

std::optional<Request> RequestReader::next() {
  if (!request_) {
    // Empty lines before a request are skipped, as RFC 9112 asks.
    while (buffer_.starts_with("\r\n")) buffer_.erase(0, 2);
    const size_t end = buffer_.find("\r\n\r\n", searched_ < 3 ? 0 : searched_ - 3);
    const size_t size = end == std::string::npos ? buffer_.size() : end + 2;
    if (size > limits_.head_bytes) {
      const bool in_line = buffer_.find("\r\n") >= limits_.head_bytes;
      throw BadRequest(in_line ? 414 : 431,
                       fmt::format("The request line and the headers together have at most {} "
                                   "bytes.",
                                   limits_.head_bytes));
    }
    if (end == std::string::npos) {
      searched_ = buffer_.size();
      return std::nullopt;
    }
    read_head(std::string_view(buffer_).substr(0, end + 2));
    buffer_.erase(0, end + 4);
    searched_ = 0;
  }
  if (buffer_.size() < body_size_) return std::nullopt;
  request_->body = buffer_.substr(0, body_size_);
  buffer_.erase(0, body_size_);
  expects_ = false;
  return std::exchange(request_, std::nullopt);
}

}  // namespace divns::http
