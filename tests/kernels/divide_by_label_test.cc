// SPDX-License-Identifier: Apache-2.0
#include "kernels/divide_by_label.h"

#include <gtest/gtest.h>

#include <vector>

#include "divns/random.h"

namespace divns {
namespace {

TEST(DivideByLabel, AgreesWithTheReferenceAndTouchesNothingElse) {
  constexpr uint32_t kUntouched = 0xdeadbeef;
  const Random random(1, "labels");
  for (uint32_t size = 0; size < 200; ++size) {
    Draws draws = random.draws(size);
    std::vector<uint32_t> values;
    std::vector<uint8_t> labels;
    std::array<size_t, 3> counts{};
    for (uint32_t i = 0; i < size; ++i) {
      values.push_back(draws.below(1000000));
      labels.push_back(static_cast<uint8_t>(draws.below(1 + size % 3)));
      ++counts[labels.back()];
    }
    std::array<std::vector<uint32_t>, 3> found;
    std::array<std::vector<uint32_t>, 3> expected;
    std::array<uint32_t*, 3> found_ends{};
    std::array<uint32_t*, 3> expected_ends{};
    for (size_t k = 0; k < 3; ++k) {
      found[k].assign(counts[k] + 32, kUntouched);
      expected[k] = found[k];
      found_ends[k] = found[k].data();
      expected_ends[k] = expected[k].data();
    }
    divide_by_label(values, labels, found_ends);
    reference::divide_by_label(values, labels, expected_ends);
    for (size_t k = 0; k < 3; ++k) {
      ASSERT_EQ(found[k], expected[k]) << size;
      ASSERT_EQ(found_ends[k] - found[k].data(), expected_ends[k] - expected[k].data());
    }
  }
}

}  // namespace
}  // namespace divns
