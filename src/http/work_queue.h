// SPDX-License-Identifier: Apache-2.0
// What passes between the thread of the connections and the workers.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "http/message.h"
#include "http/socket.h"

namespace divns::http {

// A request and the number of its connection.
struct Task {
  uint64_t connection = 0;
  Request request;
};

class WorkQueue {
 public:
  explicit WorkQueue(size_t most) : most_(most) {}

  // Takes as many of the tasks as there is room for, from the first on, and returns their number.
  size_t add(std::span<Task> tasks);
  // Waits for tasks. Takes a fair share of them for one of `workers`, at most `most`; none once the
  // queue is closed and empty.
  std::vector<Task> take(size_t workers, size_t most);
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Task> tasks_;
  size_t most_;
  bool closed_ = false;
};

// An answer on its way to a connection.
struct Done {
  uint64_t connection = 0;
  int status = 0;
  std::string bytes = {};
  bool keep_alive = false;
  bool stream = false;
};

// Hands answers and events to the thread of the connections, and wakes it.
class Mailbox {
 public:
  Mailbox();
  void add(std::vector<Done> done);
  // Beyond `kMostEvents` that were not fetched yet the oldest is dropped.
  void add_event(std::string text);
  void wake();

  struct Content {
    std::vector<Done> done;
    std::deque<std::string> events;
  };
  Content fetch();
  int descriptor() const { return event_.get(); }

  static constexpr size_t kMostEvents = 1024;

 private:
  std::mutex mutex_;
  Content content_;
  Descriptor event_;
};

}  // namespace divns::http
