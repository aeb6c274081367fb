// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "divns/error.h"

namespace divns {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

// Throws Error with a formatted sentence: for what the user gave.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> sentence, Args&&... args) {
  throw Error(fmt::format(sentence, std::forward<Args>(args)...));
}

}  // namespace divns

// For our own mistakes: says where, and aborts. Kept in release builds, so keep it out of inner
// loops.
#define DIVNS_ASSERT(condition) \
  ((condition) ? void(0) : ::divns::assertion_failed(#condition, __FILE__, __LINE__))
