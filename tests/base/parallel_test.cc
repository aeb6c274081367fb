// SPDX-License-Identifier: Apache-2.0
#include "divns/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace divns {
namespace {

TEST(Executor, VisitsEveryIndexOnce) {
  for (const int threads : {1, 2, 7}) {
    const Executor executor(threads);
    EXPECT_EQ(executor.threads(), threads);
    std::vector<int> visits(1003);
    executor.for_chunks(visits.size(), 10, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const int count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(Executor, FloatingPointSumsDoNotDependOnThreadsOrSchedule) {
  std::vector<float> values(100001);
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i)) * 1e3F;
  const auto sum = [&](const Executor& executor) {
    return executor.map_reduce(
        values.size(), 97, 0.0F,
        [&](size_t begin, size_t end) {
          float part = 0;
          for (size_t i = begin; i < end; ++i) part += values[i];
          return part;
        },
        [](float a, float b) { return a + b; });
  };
  const float expected = sum(Executor(1));
  for (const int threads : {2, 3, 7}) EXPECT_EQ(sum(Executor(threads)), expected);
  for (const uint64_t schedule : {1ULL, 2ULL, 3ULL})
    EXPECT_EQ(sum(Executor(2, schedule)), expected);
}

TEST(Executor, WorkersOwnTheirScratch) {
  const Executor executor(7);
  std::vector<std::atomic<int>> busy(7);
  std::atomic<bool> shared = false;
  executor.for_chunks_with_worker(2000, 1, [&](int worker, size_t, size_t) {
    ASSERT_GE(worker, 0);
    ASSERT_LT(worker, 7);
    if (busy[static_cast<size_t>(worker)].fetch_add(1) != 0) shared = true;
    busy[static_cast<size_t>(worker)].fetch_sub(1);
  });
  EXPECT_FALSE(shared);
}

TEST(Executor, IsNotHeldBackByASmallerOne) {
  const Executor small(1);
  const Executor executor(2);
  // Each of two chunks waits, with patience but not for ever, until the other runs as well.
  std::atomic<int> running = 0;
  std::atomic<int> met = 0;
  executor.run(2, [&](int, size_t) {
    running.fetch_add(1);
    for (int turns = 0; turns < 50'000'000 && running.load() < 2; ++turns)
      std::this_thread::yield();
    if (running.load() == 2) met.fetch_add(1);
  });
  EXPECT_EQ(met.load(), 2);
}

TEST(Executor, NothingToDoIsFine) {
  const Executor executor(2);
  executor.for_chunks(0, 8, [](size_t, size_t) { FAIL(); });
  EXPECT_EQ(executor.map_reduce(
                0, 8, 5, [](size_t, size_t) { return 1; }, [](int a, int b) { return a + b; }),
            5);
}

TEST(Executor, ExceptionsReachTheCaller) {
  for (const int threads : {1, 2}) {
    const Executor executor(threads);
    EXPECT_THROW(executor.for_chunks(100, 1,
                                     [](size_t begin, size_t) {
                                       if (begin == 50) throw std::runtime_error("stop");
                                     }),
                 std::runtime_error);
  }
}

TEST(Executor, LoopsWithinLoopsVisitEverythingOnce) {
  for (const int threads : {1, 2, 7}) {
    const Executor executor(threads);
    std::vector<std::atomic<int>> visits(40 * 30);
    executor.run(40, [&](int, size_t outer) {
      executor.run(30, [&](int, size_t inner) { visits[outer * 30 + inner].fetch_add(1); });
    });
    for (const auto& count : visits) EXPECT_EQ(count.load(), 1);
  }
}

}  // namespace
}  // namespace divns
