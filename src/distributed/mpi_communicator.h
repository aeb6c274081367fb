// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "distributed/communicator.h"

namespace divns {

// The ranks of MPI_COMM_WORLD.
//
// Ranks watch each other: a thread of every rank sends a heartbeat to the next rank once per
// second, computing or not. A rank whose predecessor has been silent for too long prints which one
// and ends the job: it was stopped, or its host or the link to it is gone. A rank that dies is
// noticed by the launcher.
class MpiCommunicator final : public Communicator {
 public:
  // MPI is initialised, with full support for threads.
  explicit MpiCommunicator(double silence_seconds);
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name() const override;
  void send(int to, std::span<const std::byte> bytes) override;
  void receive(int from, std::span<std::byte> bytes) override;
  void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;
  void broadcast(int root, std::span<std::byte> bytes) override;

 private:
  void watch();

  int rank_ = 0;
  int size_ = 1;
  double silence_seconds_;
  std::atomic<bool> leaving_ = false;
  std::thread watcher_;
};

}  // namespace divns
