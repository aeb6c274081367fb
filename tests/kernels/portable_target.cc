// SPDX-License-Identifier: Apache-2.0
// With DIVNS_TEST_PORTABLE set, the kernels take the way that every processor of the architecture
// can go, whatever this one has: machines without AVX2 are rare, and nobody would notice.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <cstdlib>

namespace divns {
namespace {

bool portable() {
  return std::getenv("DIVNS_TEST_PORTABLE") != nullptr;
}

// Before any kernel is called.
[[maybe_unused]] const bool chosen = [] {
  if (portable()) hwy::DisableTargets(~int64_t{HWY_STATIC_TARGET});
  return true;
}();

TEST(PortableTarget, IsThereAndTheOnlyOneWhereItIsAskedFor) {
  const int64_t targets = hwy::SupportedTargets();
  EXPECT_NE(targets & HWY_STATIC_TARGET, 0);
  EXPECT_TRUE(!portable() || targets == HWY_STATIC_TARGET) << targets;
}

}  // namespace
}  // namespace divns
