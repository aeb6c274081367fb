// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>

namespace divns {

// How many different hashes were added, to about 0.4 percent (one standard deviation), in 64 KiB
// whatever their number: HyperLogLog (Flajolet et al. 2007). Many threads may add.
class DistinctCount {
 public:
  void add(uint64_t hash) {
    const auto zeros = static_cast<uint8_t>(std::countl_zero((hash << kBits) | 1));
    std::atomic<uint8_t>& most = registers_[hash >> (64 - kBits)];
    uint8_t before = most.load(std::memory_order_relaxed);
    const auto rank = static_cast<uint8_t>(zeros + 1);
    while (before < rank && !most.compare_exchange_weak(before, rank, std::memory_order_relaxed)) {
    }
  }

  double estimate() const {
    constexpr auto kSize = static_cast<double>(kRegisters);
    double sum = 0;
    double empty = 0;
    for (const auto& most : registers_) {
      sum += std::ldexp(1.0, -most.load());
      empty += most.load() == 0 ? 1 : 0;
    }
    const double raw = 0.7213 / (1 + 1.079 / kSize) * kSize * kSize / sum;
    // Few hashes are counted by the registers that none of them has reached.
    return raw <= 2.5 * kSize && empty > 0 ? kSize * std::log(kSize / empty) : raw;
  }

 private:
  static constexpr int kBits = 16;
  static constexpr size_t kRegisters = size_t{1} << kBits;
  std::array<std::atomic<uint8_t>, kRegisters> registers_{};
};

}  // namespace divns
