// SPDX-License-Identifier: Apache-2.0
// The processes (ranks) of a job and the messages between them. Every call that moves bytes must be
// made by all ranks concerned in the same order. Sums are taken by the receiver in the order of
// ranks, never by the network, so that a result does not depend on the number of ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace divns {

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  // The host and process of this rank, for messages.
  virtual std::string name() const = 0;

  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  // The receiver knows the number of bytes.
  virtual void receive(int from, std::span<std::byte> bytes) = 0;
  // Both at the same time, without a deadlock when all ranks call it.
  virtual void exchange(int to, std::span<const std::byte> out, int from,
                        std::span<std::byte> in) = 0;
  // The bytes of `root` on every rank.
  virtual void broadcast(int root, std::span<std::byte> bytes) = 0;

  // The bytes of every rank, on every rank, in the order of ranks. Lengths may differ. Returns only
  // after every rank has called it.
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine);

  // Bytes that this rank has sent so far.
  uint64_t bytes_sent() const { return bytes_sent_; }

 protected:
  void count_sent(size_t bytes) { bytes_sent_ += bytes; }

 private:
  uint64_t bytes_sent_ = 0;
};

// Values of all ranks on every rank, in the order of ranks.
template <class T>
std::vector<T> gather_values(Communicator& ranks, const std::vector<T>& mine) {
  std::vector<T> all;
  for (const std::vector<std::byte>& bytes : ranks.gather(std::as_bytes(std::span(mine)))) {
    all.resize(all.size() + bytes.size() / sizeof(T));
    std::copy(bytes.begin(), bytes.end(),
              std::as_writable_bytes(std::span(all)).end() - static_cast<ptrdiff_t>(bytes.size()));
  }
  return all;
}

// A job of one process.
class SingleProcess final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string name() const override { return "rank 0"; }
  void send(int to, std::span<const std::byte> bytes) override;
  void receive(int from, std::span<std::byte> bytes) override;
  void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;
  void broadcast(int /*root*/, std::span<std::byte> /*bytes*/) override {}
};

}  // namespace divns
