// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one process: what MPI does, without MPI.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "distributed/communicator.h"

namespace divns::testing {

class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : size_(size) {}

  // body(communicator) on every rank at once. One rank may throw, several may not.
  void run(const std::function<void(Communicator&)>& body) {
    if (size_ == 1) {
      Rank only(*this, 0);
      return body(only);
    }
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size_; ++rank)
      threads.emplace_back([&, rank] {
        Rank own(*this, rank);
        body(own);
      });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  class Rank final : public Communicator {
   public:
    Rank(ThreadRanks& job, int rank) : job_(job), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return job_.size_; }
    std::string name() const override { return "rank " + std::to_string(rank_); }
    void send(int to, std::span<const std::byte> bytes) override {
      count_sent(bytes.size());
      const std::lock_guard lock(job_.mutex_);
      job_.boxes_[{rank_, to}].emplace_back(bytes.begin(), bytes.end());
      job_.arrived_.notify_all();
    }
    void receive(int from, std::span<std::byte> bytes) override {
      std::unique_lock lock(job_.mutex_);
      auto& box = job_.boxes_[{from, rank_}];
      job_.arrived_.wait(lock, [&] { return !box.empty(); });
      if (box.front().size() != bytes.size()) std::abort();
      std::ranges::copy(box.front(), bytes.begin());
      box.pop_front();
    }
    void exchange(int to, std::span<const std::byte> out, int from,
                  std::span<std::byte> in) override {
      send(to, out);
      receive(from, in);
    }
    void broadcast(int root, std::span<std::byte> bytes) override {
      if (root != rank_) return receive(root, bytes);
      for (int to = 0; to < size(); ++to)
        if (to != rank_) send(to, bytes);
    }

   private:
    ThreadRanks& job_;
    int rank_;
  };

  int size_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> boxes_;
};

}  // namespace divns::testing
