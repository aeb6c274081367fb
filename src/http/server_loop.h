// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "http/connection.h"
#include "http/server.h"
#include "http/work_queue.h"

namespace divns::http {

// The state of a server. Members named here belong to the thread of run(), except the queue, the
// mailbox and the atomics.
class Server::Loop {
 public:
  Loop(const Address& address, const ServerLimits& limits, int workers, ServerCallbacks callbacks);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  bool run(const std::function<bool()>& stop);

  Listener listener;
  Mailbox mailbox;
  std::atomic<bool> stop_asked = false;
  std::atomic<size_t> open = 0;
  std::atomic<size_t> streaming = 0;
  std::atomic<size_t> refused = 0;

 private:
  class TaskBatch;

  void work();
  void wait_and_serve(bool accepting);
  void accept_clients();
  bool make_room();
  void serve_event(uint64_t id, uint32_t events);
  void deliver();
  void dispatch();
  // Does what can be done for a connection without waiting. False if it is to be closed.
  bool advance(uint64_t id, Connection& connection);
  bool read_request(uint64_t id, Connection& connection);
  bool finish_answer(Connection& connection);
  void start_answer(Connection& connection, Done done);
  void refuse(Connection& connection, int status, const char* sentence);
  void close(uint64_t id);
  void sweep(bool draining);
  bool is_over(Connection& connection, bool draining);
  void report(const Connection& connection);
  Clock::time_point in(double seconds) const;

  ServerLimits limits_;
  size_t worker_count_;
  ServerCallbacks callbacks_;
  Descriptor poll_;
  WorkQueue queue_;
  std::unordered_map<uint64_t, Connection> connections_;
  std::vector<Task> read_;  // requests that were read and are not in the queue yet
  uint64_t next_id_ = 2;    // 0 and 1 are the listener and the mailbox
  Clock::time_point now_;
  std::atomic<bool> draining_ = false;
  std::vector<std::jthread> workers_;
};

}  // namespace divns::http
