// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <mutex>
#include <utility>

namespace divns {
namespace {

struct Sink {
  std::mutex mutex;
  LogCallback callback;
};

Sink& sink() {
  static Sink instance;
  return instance;
}

void emit(LogLevel level, std::string_view message) {
  const std::lock_guard lock(sink().mutex);
  if (sink().callback) sink().callback(level, message);
}

}  // namespace

void set_log_callback(LogCallback callback) {
  const std::lock_guard lock(sink().mutex);
  sink().callback = std::move(callback);
}

void log_info(std::string_view message) {
  emit(LogLevel::kInfo, message);
}
void log_warning(std::string_view message) {
  emit(LogLevel::kWarning, message);
}

}  // namespace divns
