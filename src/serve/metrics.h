// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace divns {

// Counts of the answers, written by one thread and read by any.
class AnswerCounts {
 public:
  void add(int status, double seconds, size_t bytes);
  void add_lists(size_t count) { lists_ += count; }
  void add_batch() { ++batches_; }
  // In Prometheus' text format.
  void print(std::string& out) const;

 private:
  static constexpr std::array kBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                         0.05,   0.1,   0.25,   0.5,   1.0,  2.5};

  std::array<std::atomic<uint64_t>, 600> by_status_ = {};
  std::array<std::atomic<uint64_t>, kBounds.size() + 1> by_time_ = {};
  std::atomic<uint64_t> microseconds_ = 0;
  std::atomic<uint64_t> bytes_ = 0;
  std::atomic<uint64_t> lists_ = 0;
  std::atomic<uint64_t> batches_ = 0;
};

// One metric with its help and type.
void print_metric(const char* name, const char* type, const char* help, double value,
                  std::string& out);

}  // namespace divns
