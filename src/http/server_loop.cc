// SPDX-License-Identifier: Apache-2.0
#include "http/server_loop.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/check.h"

namespace divns::http {
namespace {

constexpr uint64_t kListener = 0;
constexpr uint64_t kMailbox = 1;
constexpr int kTickMilliseconds = 100;
constexpr size_t kReadAtOnce = 64 << 10;

void watch(const Descriptor& poll, int descriptor, uint64_t id, uint32_t events) {
  epoll_event event = {};
  event.events = events;
  event.data.u64 = id;
  if (::epoll_ctl(poll.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    fail_by_system(errno, "a connection cannot be watched");
}

}  // namespace

Server::Loop::Loop(const Address& address, const ServerLimits& limits, int workers,
                   ServerCallbacks callbacks)
    : listener(listen_on(address)),
      limits_(limits),
      worker_count_(static_cast<size_t>(workers)),
      callbacks_(std::move(callbacks)),
      poll_(::epoll_create1(EPOLL_CLOEXEC)),
      queue_(limits.waiting) {
  DIVNS_ASSERT(workers > 0);
  if (poll_.get() < 0) fail_by_system(errno, "connections cannot be watched");
  allow_open_files(limits_.connections + 64);
  watch(poll_, mailbox.descriptor(), kMailbox, EPOLLIN);
  for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
}

Server::Loop::~Loop() {
  queue_.close();
}

Clock::time_point Server::Loop::in(double seconds) const {
  return now_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

bool Server::Loop::run(const std::function<bool()>& stop) {
  watch(poll_, listener.socket.get(), kListener, EPOLLIN);
  now_ = Clock::now();
  Clock::time_point next_sweep = in(0);
  const auto tick = [&](bool draining) {
    wait_and_serve(!draining);
    if (now_ < next_sweep) return;
    sweep(draining);
    next_sweep = in(kTickMilliseconds * 1e-3);
  };
  while (!stop_asked && !(stop && stop())) tick(false);
  draining_ = true;
  listener.socket.close();
  const Clock::time_point end = in(limits_.shutdown_seconds);
  sweep(true);
  while (!connections_.empty() && now_ < end) tick(true);
  const bool clean = connections_.empty();
  while (!connections_.empty()) close(connections_.begin()->first);
  return clean;
}

void Server::Loop::wait_and_serve(bool accepting) {
  std::array<epoll_event, 256> events = {};
  const int count = ::epoll_wait(poll_.get(), events.data(), events.size(), kTickMilliseconds);
  now_ = Clock::now();
  for (int i = 0; i < count; ++i) {
    const uint64_t id = events[static_cast<size_t>(i)].data.u64;
    if (id == kMailbox) {
      deliver();
    } else if (id != kListener) {
      serve_event(id, events[static_cast<size_t>(i)].events);
    } else if (accepting) {
      accept_clients();
    }
  }
  dispatch();
}

// Requests that arrived together go to the workers together.
void Server::Loop::dispatch() {
  while (!read_.empty()) {
    std::vector<Task> tasks = std::exchange(read_, {});
    for (size_t i = queue_.add(tasks); i < tasks.size(); ++i) {
      const uint64_t id = tasks[i].connection;
      const auto found = connections_.find(id);
      if (found == connections_.end()) continue;
      refuse(found->second, 503, "Too many requests are waiting; try again later.");
      if (!advance(id, found->second)) close(id);
    }
  }
}

void Server::Loop::accept_clients() {
  for (int i = 0; i < 64; ++i) {
    Accepted accepted = accept_from(listener.socket);
    // Errors belong to one connection that has gone already, or to a lack of memory or descriptors
    // that may be over at the next tick.
    if (accepted.error != 0) return;
    if (connections_.size() >= limits_.connections && !make_room()) {
      ++refused;
      Connection guest(std::move(accepted.socket), std::move(accepted.client), limits_.request);
      refuse(guest, 503, "The server has as many connections as it may; try again later.");
      guest.send();
      continue;
    }
    const uint64_t id = next_id_++;
    Connection& connection = connections_
                                 .try_emplace(id, std::move(accepted.socket),
                                              std::move(accepted.client), limits_.request)
                                 .first->second;
    connection.deadline = in(limits_.request_seconds);
    watch(poll_, connection.socket.get(), id, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
    open = connections_.size();
  }
}

// Closes the connection that has been idle for longest. Those with a request are left alone.
bool Server::Loop::make_room() {
  uint64_t oldest = 0;
  Clock::time_point earliest = Clock::time_point::max();
  for (const auto& [id, connection] : connections_) {
    if (connection.state != Connection::State::kReading || connection.reader.started() ||
        connection.deadline >= earliest)
      continue;
    oldest = id;
    earliest = connection.deadline;
  }
  if (oldest == 0) return false;
  close(oldest);
  return true;
}

void Server::Loop::serve_event(uint64_t id, uint32_t events) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  if ((events & (EPOLLIN | EPOLLRDHUP)) != 0) connection.readable = !connection.ended;
  if ((events & EPOLLRDHUP) != 0) connection.hung_up = true;
  if ((events & (EPOLLHUP | EPOLLERR)) != 0 || !advance(id, connection)) close(id);
}

void Server::Loop::deliver() {
  Mailbox::Content content = mailbox.fetch();
  for (Done& done : content.done) {
    const auto found = connections_.find(done.connection);
    if (found == connections_.end()) continue;
    start_answer(found->second, std::move(done));
    if (!advance(found->first, found->second)) close(found->first);
  }
  std::vector<uint64_t> gone;
  for (const std::string& event : content.events) {
    for (auto& [id, connection] : connections_) {
      if (connection.state != Connection::State::kStreaming) continue;
      if (connection.unsent() + event.size() > limits_.stream_bytes) {
        gone.push_back(id);
        continue;
      }
      connection.output += event;
      if (!connection.send()) gone.push_back(id);
    }
  }
  for (const uint64_t id : gone) close(id);
}

bool Server::Loop::advance(uint64_t id, Connection& connection) {
  using State = Connection::State;
  while (true) {
    switch (connection.state) {
      case State::kReading:
        if (!read_request(id, connection)) return false;
        if (connection.state == State::kReading) return true;
        break;
      case State::kAnswering:
        return true;
      case State::kWriting:
        if (!connection.send()) return false;
        if (!connection.everything_sent()) return true;
        if (!finish_answer(connection)) return false;
        break;
      case State::kStreaming:
        if (connection.readable && !connection.receive(kReadAtOnce)) return false;
        return !connection.ended && connection.send();
      case State::kClosing:
        return (!connection.readable || connection.receive(kReadAtOnce)) && !connection.ended;
    }
  }
}

// Leaves the state kReading if a request is complete or cannot be read.
bool Server::Loop::read_request(uint64_t id, Connection& connection) {
  try {
    while (true) {
      std::optional<Request> request = connection.reader.next();
      if (request) {
        connection.method = request->method;
        connection.path = request->path;
        connection.keep_alive = request->keep_alive;
        connection.with_body = request->method != "HEAD";
        if (connection.request_began == Clock::time_point()) connection.request_began = now_;
        connection.state = Connection::State::kAnswering;
        read_.push_back({id, std::move(*request)});
        return true;
      }
      if (connection.reader.take_expectation()) {
        connection.output += "HTTP/1.1 100 Continue\r\n\r\n";
        if (!connection.send()) return false;
      }
      if (connection.reader.started() && connection.request_began == Clock::time_point()) {
        connection.request_began = now_;
        connection.deadline = in(limits_.request_seconds);
      }
      if (!connection.readable) return !connection.ended;
      if (!connection.receive(kReadAtOnce)) return false;
    }
  } catch (const BadRequest& bad) {
    refuse(connection, bad.status, bad.what());
    return true;
  }
}

void Server::Loop::refuse(Connection& connection, int status, const char* sentence) {
  Response response = error_response(status, sentence);
  if (status == 503) response.headers = {{"Retry-After", "1"}};
  start_answer(connection,
               {0, status, serialise(response, false, connection.with_body), false, false});
}

void Server::Loop::start_answer(Connection& connection, Done done) {
  connection.status = done.status;
  connection.answer_bytes = done.bytes.size();
  connection.keep_alive = done.keep_alive;
  connection.stream_next = done.stream;
  connection.output += done.bytes;
  connection.deadline = in(limits_.response_seconds);
  connection.state = Connection::State::kWriting;
}

bool Server::Loop::finish_answer(Connection& connection) {
  report(connection);
  connection.request_began = {};
  connection.method.clear();
  connection.path.clear();
  if (connection.stream_next) {
    connection.state = Connection::State::kStreaming;
    ++streaming;
  } else if (connection.keep_alive && !draining_) {
    connection.deadline = in(limits_.idle_seconds);
    connection.state = Connection::State::kReading;
  } else {
    // Closing at once would reset a connection on which the client is still sending, and it might
    // lose the answer.
    connection.end_output();
    connection.deadline = in(1);
    connection.state = Connection::State::kClosing;
  }
  return true;
}

void Server::Loop::report(const Connection& connection) {
  if (!callbacks_.on_answer) return;
  const bool timed = connection.request_began != Clock::time_point();
  const double seconds =
      timed ? std::chrono::duration<double>(Clock::now() - connection.request_began).count() : 0;
  callbacks_.on_answer({connection.client, connection.method, connection.path, connection.status,
                        connection.answer_bytes, seconds});
}

void Server::Loop::close(uint64_t id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  const Connection& connection = found->second;
  if (connection.state == Connection::State::kWriting) report(connection);
  if (connection.state == Connection::State::kStreaming) --streaming;
  connections_.erase(found);
  open = connections_.size();
}

void Server::Loop::sweep(bool draining) {
  std::vector<uint64_t> over;
  for (auto& [id, connection] : connections_)
    if (is_over(connection, draining)) over.push_back(id);
  for (const uint64_t id : over) close(id);
}

bool Server::Loop::is_over(Connection& connection, bool draining) {
  using State = Connection::State;
  const bool late = now_ >= connection.deadline;
  switch (connection.state) {
    case State::kReading:
      if (!connection.reader.started()) return late || draining;
      if (!late) return false;
      refuse(connection, 408, "The request did not arrive completely in time.");
      return !advance(0, connection);
    case State::kAnswering:
      return false;
    case State::kStreaming:
      return draining;
    case State::kWriting:
    case State::kClosing:
      return late;
  }
  return true;
}

}  // namespace divns::http
