// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace divns::http {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;                 // "GET"
  std::string path;                   // as sent, percent-encoded, without the query
  std::vector<std::string> segments;  // of the path, decoded: "/a/b%2Fc" is {"a", "b/c"}
  Fields query;                       // decoded
  Fields headers;                     // names in lower case
  std::string body;
  bool keep_alive = true;

  // The value, or null if there is none. Of several equal parameters the last one counts.
  const std::string* header(std::string_view name) const;
  const std::string* parameter(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  Fields headers = {};
  bool stream = false;  // the connection stays open for broadcast(); `body` is what comes first
};

// The client sent something that is not served. `sentence` is the answer.
struct BadRequest : std::runtime_error {
  BadRequest(int code, const std::string& sentence) : std::runtime_error(sentence), status(code) {}
  int status;
};

// {"error": "..."}
Response error_response(int status, std::string_view sentence);
// "Not Found"
std::string_view reason_of(int status);
// Status line, headers and body. A body that is not sent (HEAD) still has its length announced.
std::string serialise(const Response& response, bool keep_alive, bool with_body);

}  // namespace divns::http
