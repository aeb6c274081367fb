// SPDX-License-Identifier: Apache-2.0
// Bytes of a connection. The first byte says in pieces of which size they arrive: the requests that
// are read, and the refusal, must not depend on it.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/escape.h"
#include "http/request_reader.h"

namespace {

// What was read, as one text.
std::string read_all(std::string_view bytes, size_t piece) {
  divns::http::RequestReader reader({.head_bytes = 2048, .headers = 20, .body_bytes = 1000});
  std::string seen;
  try {
    for (size_t at = 0; at < bytes.size(); at += piece) {
      reader.add(bytes.substr(at, piece));
      while (const auto request = reader.next()) {
        seen += request->method + "|" + request->path + "|" + request->body + "|";
        for (const std::string& segment : request->segments) {
          if (!divns::is_utf8(segment)) std::abort();
          seen += segment + "/";
        }
        for (const auto& [name, value] : request->query) seen += name + "=" + value + "&";
        for (const auto& [name, value] : request->headers) seen += name + ":" + value + ";";
        seen += request->keep_alive ? "keep\n" : "close\n";
      }
    }
  } catch (const divns::http::BadRequest& bad) {
    // What is too large is refused when so much of it has arrived; where exactly depends on the
    // pieces, and so may what else is found to be wrong.
    if (bad.status < 400 || bad.status > 599) std::abort();
    seen += "refused";
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (read_all(bytes, size) != read_all(bytes, std::max<size_t>(1, data[0]))) std::abort();
  return 0;
}
