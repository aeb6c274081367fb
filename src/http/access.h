// SPDX-License-Identifier: Apache-2.0
// Who may ask: the rules that all servers of divns share.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "http/message.h"

namespace divns::http {

// Throws BadRequest (421) for a Host header that names another server. On loopback only loopback
// names and `names` are accepted: a page of a stranger's site that points its own name at 127.0.0.1
// must not read the answers. Elsewhere every name is, unless `names` are given.
void check_host(const Request& request, std::span<const std::string> names, bool is_loopback);

// Throws BadRequest (401) without "Authorization: Bearer TOKEN". An empty token admits everyone.
// Event streams of browsers cannot send headers: with `in_query`, the parameter `token` will do.
void check_token(const Request& request, std::string_view token, bool in_query = false);

// Throws Error for a token that no header can carry.
void check_token_text(std::string_view token);

}  // namespace divns::http
