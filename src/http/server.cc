// SPDX-License-Identifier: Apache-2.0
#include "http/server.h"

#include "base/log.h"
#include "http/server_loop.h"

namespace divns::http {

class Server::Loop::TaskBatch : public Batch {
 public:
  TaskBatch(Loop& loop, std::vector<Task> tasks)
      : loop_(loop), tasks_(std::move(tasks)), answered_(tasks_.size(), 0) {}

  size_t size() const override { return tasks_.size(); }
  const Request& request(size_t i) const override { return tasks_[i].request; }
  void answer(size_t i, Response response) override {
    if (std::exchange(answered_[i], uint8_t{1}) != 0) return;
    const Request& asked = tasks_[i].request;
    const bool keep = asked.keep_alive && !response.stream && !loop_.draining_;
    done_.push_back({tasks_[i].connection, response.status,
                     serialise(response, keep, asked.method != "HEAD"), keep, response.stream});
  }
  void send() override {
    if (!done_.empty()) loop_.mailbox.add(std::exchange(done_, {}));
  }
  void answer_the_rest() {
    for (size_t i = 0; i < size(); ++i)
      answer(i, error_response(500, "The server failed to answer; its log may say why."));
    send();
  }

 private:
  Loop& loop_;
  std::vector<Task> tasks_;
  std::vector<uint8_t> answered_;
  std::vector<Done> done_;
};

void Server::Loop::work() {
  while (true) {
    TaskBatch batch(*this, queue_.take(worker_count_, limits_.batch));
    if (batch.size() == 0) return;
    try {
      callbacks_.handle(batch);
    } catch (const std::exception& error) {
      log_warning(error.what());
    }
    batch.answer_the_rest();
  }
}

Server::Server(const Address& address, const ServerLimits& limits, int workers,
               ServerCallbacks callbacks)
    : loop_(std::make_unique<Loop>(address, limits, workers, std::move(callbacks))) {}

Server::~Server() = default;

uint16_t Server::port() const {
  return loop_->listener.port;
}

bool Server::is_loopback() const {
  return loop_->listener.loopback;
}

bool Server::run(const std::function<bool()>& stop) {
  return loop_->run(stop);
}

void Server::stop() {
  loop_->stop_asked = true;
  loop_->mailbox.wake();
}

void Server::broadcast(std::string text) {
  loop_->mailbox.add_event(std::move(text));
}

size_t Server::connections() const {
  return loop_->open;
}

size_t Server::streams() const {
  return loop_->streaming;
}

size_t Server::refused() const {
  return loop_->refused;
}

}  // namespace divns::http
