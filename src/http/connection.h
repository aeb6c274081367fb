// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "http/request_reader.h"
#include "http/socket.h"

namespace divns::http {

using Clock = std::chrono::steady_clock;

// One client. Only the thread of the event loop touches it.
struct Connection {
  enum class State {
    kReading,    // a request, or waiting for the first byte of one
    kAnswering,  // a worker has the request
    kWriting,    // the answer
    kStreaming,  // broadcast events
    kClosing,    // everything is written; what the client still sends is discarded
  };

  Connection(Descriptor accepted, std::string address, const RequestLimits& limits)
      : socket(std::move(accepted)), client(std::move(address)), reader(limits) {}

  // Reads what is there, at most `most` bytes. False if the connection is broken.
  bool receive(size_t most);
  // Writes what the socket takes. False if the client has gone.
  bool send();
  bool everything_sent() const { return sent == output.size(); }
  size_t unsent() const { return output.size() - sent; }
  // Tells the client that nothing more comes.
  void end_output();

  Descriptor socket;
  std::string client;
  RequestReader reader;
  State state = State::kReading;
  bool readable = true;  // the last read did not empty the socket
  bool hung_up = false;  // the client sends nothing more, but not everything may be read yet
  bool ended = false;    // everything that the client sent was read
  bool keep_alive = true;
  bool stream_next = false;  // once written, the connection streams
  bool with_body = true;     // the request was not HEAD
  Clock::time_point deadline;
  Clock::time_point request_began;
  size_t answer_bytes = 0;
  // Of the request, for the access log.
  std::string method;
  std::string path;
  int status = 0;
  std::string output;
  size_t sent = 0;
};

}  // namespace divns::http
