// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace divns {

enum class LogLevel { kInfo, kWarning };

// The library never prints: it hands its messages to this callback, which is silent until one is
// set. Calls are serialised; the callback may be called from any thread.
using LogCallback = std::function<void(LogLevel, std::string_view)>;
void set_log_callback(LogCallback callback);

}  // namespace divns
