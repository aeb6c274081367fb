// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

#include "divns/stopwatch.h"

namespace divns {

// Nanoseconds that a word takes from one thread to another: about 40 between cores that share a
// cache, 100 to 200 between others. The cores of a virtual machine may move within seconds, which
// changes the speed of two threads together.
inline double core_distance() {
  constexpr int kTurns = 3000;
  constexpr int kWarmUp = 500;
  struct alignas(128) Ball {
    std::atomic<int> turn{0};
  };
  Ball ball;
  const auto play = [&](int first, int end) {
    for (int turn = first; turn < end; turn += 2) {
      while (ball.turn.load(std::memory_order_acquire) != turn) {
      }
      ball.turn.store(turn + 1, std::memory_order_release);
    }
  };
  std::thread other([&] { play(1, 2 * kTurns); });
  play(0, 2 * kWarmUp);
  const Stopwatch watch;
  play(2 * kWarmUp, 2 * kTurns);
  const double seconds = watch.seconds();
  other.join();
  return 1e9 * seconds / (2 * (kTurns - kWarmUp));
}

constexpr double kFarCores = 80;

}  // namespace divns
