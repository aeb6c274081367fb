// SPDX-License-Identifier: Apache-2.0
#include "http/access.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace divns::http {
namespace {

constexpr std::string_view kBearer = "Bearer ";

// Takes the same time wherever the first difference is.
bool same_secret(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0U : 1U;
  for (size_t i = 0; i < expected.size(); ++i) {
    const char c = i < given.size() ? given[i] : '\0';
    difference |= unsigned{static_cast<unsigned char>(c ^ expected[i])};
  }
  return difference == 0;
}

bool is_loopback_name(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

}  // namespace

void check_host(const Request& request, std::span<const std::string> names, bool is_loopback) {
  const std::string* header = request.header("host");
  std::string_view host = header == nullptr ? std::string_view() : std::string_view(*header);
  const size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos)
    host = host.substr(0, colon);
  if (std::find(names.begin(), names.end(), host) != names.end()) return;
  const bool any = names.empty() && !is_loopback;
  if (any || is_loopback_name(host) || header == nullptr) return;
  throw BadRequest(421, fmt::format("The host name '{}' is not accepted; the server's "
                                    "--host-name lists those that are.",
                                    host));
}

void check_token(const Request& request, std::string_view token, bool in_query) {
  if (token.empty()) return;
  const std::string* header = request.header("authorization");
  if (header != nullptr && same_secret(*header, std::string(kBearer).append(token))) return;
  const std::string* parameter = in_query ? request.parameter("token") : nullptr;
  if (parameter != nullptr && same_secret(*parameter, token)) return;
  throw BadRequest(401, "The request needs the header 'Authorization: Bearer TOKEN'.");
}

void check_token_text(std::string_view token) {
  for (const char c : token)
    if (c <= ' ' || c >= '\x7f')
      fail(
          "The token holds a blank, a control character or a letter beyond ASCII, which no header "
          "can carry.");
}

}  // namespace divns::http
