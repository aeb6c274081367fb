// SPDX-License-Identifier: Apache-2.0
#include "http/message.h"

#include <fmt/format.h>

#include "base/json.h"

namespace divns::http {
namespace {

const std::string* last_value(const Fields& fields, std::string_view name) {
  const std::string* found = nullptr;
  for (const auto& [key, value] : fields)
    if (key == name) found = &value;
  return found;
}

}  // namespace

const std::string* Request::header(std::string_view name) const {
  return last_value(headers, name);
}

const std::string* Request::parameter(std::string_view name) const {
  return last_value(query, name);
}

Response error_response(int status, std::string_view sentence) {
  Response response = {.status = status, .body = json_line(Json{{"error", sentence}}) + "\n"};
  if (status == 401) response.headers = {{"WWW-Authenticate", "Bearer"}};
  return response;
}

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 421:
      return "Misdirected Request";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Unknown";
  }
}

std::string serialise(const Response& response, bool keep_alive, bool with_body) {
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\nContent-Type: {}\r\n", response.status,
                 reason_of(response.status), response.type);
  if (!response.stream) fmt::format_to(out, "Content-Length: {}\r\n", response.body.size());
  fmt::format_to(out, "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n");
  for (const auto& [name, value] : response.headers) fmt::format_to(out, "{}: {}\r\n", name, value);
  fmt::format_to(out, "Connection: {}\r\n\r\n", keep_alive ? "keep-alive" : "close");
  if (with_body) text.append(response.body);
  return fmt::to_string(text);
}

}  // namespace divns::http
