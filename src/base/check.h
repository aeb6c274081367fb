// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/escape.h"
#include "divns/error.h"

namespace divns {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

// Throws Error with a formatted sentence: for what the user gave. Sentences quote ids, paths and
// lines of files, so control characters in them are escaped here, once for all messages.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> sentence, Args&&... args) {
  throw Error(escape_terminal(fmt::format(sentence, std::forward<Args>(args)...)));
}

// Throws for an error of the system: MachineError where the machine is at fault (disk, memory),
// Error where the user can choose something else (no such folder, no permission).
[[noreturn]] void fail_by_system(int error, const std::string& sentence);

}  // namespace divns

// For our own mistakes: says where, and aborts. Kept in release builds, so keep it out of inner
// loops.
#define DIVNS_ASSERT(condition) \
  ((condition) ? void(0) : ::divns::assertion_failed(#condition, __FILE__, __LINE__))
