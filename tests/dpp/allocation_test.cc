// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>
#include <vector>

#include "divns/dpp.h"
#include "divns/random.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::atomic<size_t> allocations = 0;

void* counted(size_t size, size_t alignment) {
  ++allocations;
  void* const memory =
      std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

// GCC inlines one half of each pair only and then takes the other for a stranger.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace divns {
namespace {

TEST(DppSelector, AllocatesNothingOnceItsScratchHasGrown) {
  constexpr uint32_t kItems = 700, kDim = 8;
  Draws draws = Random(61, "allocation_test").draws();
  std::vector<float> vectors(size_t{kItems} * kDim);
  for (float& x : vectors) x = static_cast<float>(draws.normal());
  std::vector<uint32_t> candidates(kItems);
  std::iota(candidates.begin(), candidates.end(), 0U);
  // A small set (Cholesky), a large one (lazy, far beyond the rank), an empty one.
  const std::vector<uint64_t> offsets = {0, 10, 700, 700}, against_offsets = {0, 1, 3, 3};
  const std::vector<uint32_t> against = {5, 6, 7}, sizes = {4, 200, 3};
  const DppSets sets{offsets, candidates, against_offsets, against, sizes};
  std::vector<uint32_t> chosen(207), counts(3);
  for (const RankPolicy policy : {RankPolicy::kJitter, RankPolicy::kRounds}) {
    DppConfig config;
    config.rank_policy = policy;
    DppSelector selector(config, 1);
    const VectorTable table{vectors.data(), kItems, kDim, kDim};
    selector.select(table, sets, chosen, counts);
    const size_t before = allocations;
    selector.select(table, sets, chosen, counts);
    EXPECT_EQ(allocations - before, 0U);
    EXPECT_EQ(counts, (std::vector<uint32_t>{4, 200, 0}));
  }
}

}  // namespace
}  // namespace divns

#endif
