// SPDX-License-Identifier: Apache-2.0
// A small HTTP/1.1 server for Linux: one thread waits for all connections (epoll), workers answer.
// A slow client costs a few kilobytes and no thread, every phase of a connection has a deadline,
// and workers take what is waiting together, so that one pass over the items can answer several
// requests. Nothing outside this folder knows of sockets.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "http/message.h"
#include "http/request_reader.h"
#include "http/socket.h"

namespace divns::http {

struct ServerLimits {
  RequestLimits request = {};
  size_t connections = 1024;      // more are answered with 503
  size_t waiting = 1024;          // requests that no worker has taken yet; more get 503
  double request_seconds = 10;    // from its first byte to its last
  double idle_seconds = 60;       // between two requests of a connection
  double response_seconds = 30;   // for the client to take an answer
  double shutdown_seconds = 10;   // for answers under way when the server ends
  size_t stream_bytes = 1 << 20;  // unread events after which a client is dropped
  size_t batch = 48;              // requests that a worker takes together
};

// For the access log and the metrics.
struct AnswerReport {
  std::string_view client;
  std::string_view method;  // empty if the request could not be read
  std::string_view path;
  int status = 0;
  size_t bytes = 0;
  double seconds = 0;  // from the first byte of the request to the last byte of the answer
};

// Requests that one worker took together.
class Batch {
 public:
  virtual ~Batch() = default;
  virtual size_t size() const = 0;
  virtual const Request& request(size_t i) const = 0;
  // Each request is answered once.
  virtual void answer(size_t i, Response response) = 0;
  // Sends the answers given so far; the others go out when the handler returns. Together they cost
  // one wake-up of the thread that writes them.
  virtual void send() = 0;
};

struct ServerCallbacks {
  // Called by the workers, several at a time. Requests left without an answer get 500.
  std::function<void(Batch&)> handle;
  // Called by the thread of run() when an answer was written, or its client has gone.
  std::function<void(const AnswerReport&)> on_answer = {};
};

class Server {
 public:
  // Binds the address; connections wait until run(). Throws Error.
  Server(const Address& address, const ServerLimits& limits, int workers,
         ServerCallbacks callbacks);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const;
  bool is_loopback() const;

  // Serves until `stop` says so, which is asked several times per second, or until stop() is
  // called. Then no connection is accepted any more and answers under way are finished. False if
  // some were not within the time allowed.
  bool run(const std::function<bool()>& stop = {});

  // From any thread. None of them waits for a client.
  void stop();
  // Sends text to every streaming connection. A client that reads too slowly is dropped.
  void broadcast(std::string text);
  size_t connections() const;
  size_t streams() const;
  size_t refused() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace divns::http
