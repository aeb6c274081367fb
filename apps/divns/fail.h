// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "divns/error.h"

namespace divns::app {

// Throws Error with a formatted sentence: what was given, what was expected, how to fix it.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> sentence, Args&&... args) {
  throw Error(fmt::format(sentence, std::forward<Args>(args)...));
}

}  // namespace divns::app
