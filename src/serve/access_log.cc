// SPDX-License-Identifier: Apache-2.0
#include "serve/access_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "recommend/list_json.h"

namespace divns {

AccessLog::AccessLog(std::function<void(std::string_view)> write) : write_(std::move(write)) {
  if (write_) writer_ = std::jthread([this] { run(); });
}

AccessLog::~AccessLog() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  filled_.notify_all();
}

void AccessLog::add(std::string_view client, std::string_view method, std::string_view path,
                    int status, size_t bytes, double seconds) {
  if (!write_) return;
  const auto now = std::chrono::system_clock::now();
  const auto whole = std::chrono::floor<std::chrono::seconds>(now);
  std::string line = fmt::format(
      "{{\"time\":\"{:%Y-%m-%dT%H:%M:%S}.{:03}Z\",\"client\":\"{}\",\"method\":",
      fmt::gmtime(std::chrono::system_clock::to_time_t(whole)),
      std::chrono::duration_cast<std::chrono::milliseconds>(now - whole).count(), client);
  append_json_string(method, line);
  line += ",\"path\":";
  append_json_string(path, line);
  line +=
      fmt::format(",\"status\":{},\"bytes\":{},\"ms\":{:.3f}}}\n", status, bytes, seconds * 1e3);
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    if (lines_.size() == kMostLines) {
      ++dropped_;
      return;
    }
    first = lines_.empty();
    lines_.push_back(std::move(line));
  }
  if (first) filled_.notify_one();
}

void AccessLog::run() {
  while (true) {
    std::deque<std::string> lines;
    {
      std::unique_lock lock(mutex_);
      filled_.wait(lock, [&] { return closed_ || !lines_.empty(); });
      lines = std::exchange(lines_, {});
      if (lines.empty()) return;
    }
    std::string text;
    for (const std::string& line : lines) text += line;
    write_(text);
  }
}

}  // namespace divns
