// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace divns {

// Lines are written by a thread of their own, so that a reader of the log that has stopped reading
// does not stop the server. Beyond kMostLines waiting ones, lines are dropped and counted.
class AccessLog {
 public:
  explicit AccessLog(std::function<void(std::string_view)> write);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  // {"time":"2026-11-18T21:00:00.123Z","client":..,"method":..,"path":..,"status":..,"bytes":..,
  //  "ms":..}
  void add(std::string_view client, std::string_view method, std::string_view path, int status,
           size_t bytes, double seconds);
  size_t dropped() const { return dropped_; }

  static constexpr size_t kMostLines = 65536;

 private:
  void run();

  std::function<void(std::string_view)> write_;
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::string> lines_;
  bool closed_ = false;
  std::atomic<size_t> dropped_ = 0;
  std::jthread writer_;
};

}  // namespace divns
