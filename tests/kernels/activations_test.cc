// SPDX-License-Identifier: Apache-2.0
#include "kernels/activations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "divns/random.h"

namespace divns {
namespace {

constexpr size_t kLength = 64;
using Row = std::vector<float>;

Row random_row(uint32_t stream, float bound, size_t n = kLength) {
  Draws draws = Random(3, "activations").draws(stream);
  Row values(n);
  for (float& x : values) x = bound * (2 * draws.uniform_float() - 1);
  return values;
}

void expect_close(const Row& found, const Row& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

TEST(Activations, TanhAndItsSlope) {
  for (const float bound : {0.01F, 1.0F, 5.0F, 300.0F}) {
    const Row bias = random_row(1, bound);
    Row found = random_row(2, bound);
    Row expected = found;
    tanh_biased(bias.data(), found.data(), kLength);
    reference::tanh_biased(bias.data(), expected.data(), kLength);
    expect_close(found, expected, 3e-7);
    Row gradient = random_row(3, 1);
    Row expected_gradient = gradient;
    tanh_backward(expected.data(), gradient.data(), kLength);
    reference::tanh_backward(expected.data(), expected_gradient.data(), kLength);
    expect_close(gradient, expected_gradient, 3e-7);
  }
}

TEST(Activations, GatesAndTheirSlope) {
  for (const float bound : {1.0F, 60.0F}) {
    const Row a = random_row(1, bound);
    const Row b = random_row(2, bound);
    const Row x = random_row(3, 1);
    const Row user = random_row(4, 1);
    Row gate(kLength);
    Row gated(kLength);
    Row expected_gate(kLength);
    Row expected_gated(kLength);
    apply_gate(a.data(), b.data(), x.data(), gate.data(), gated.data(), kLength);
    reference::apply_gate(a.data(), b.data(), x.data(), expected_gate.data(), expected_gated.data(),
                          kLength);
    expect_close(gate, expected_gate, 3e-7);
    expect_close(gated, expected_gated, 3e-7);
    EXPECT_NEAR(gated_score(user.data(), x.data(), a.data(), b.data(), .4F, kLength),
                reference::gated_score(user.data(), x.data(), a.data(), b.data(), .4F, kLength),
                3e-6);
    Row dz(kLength);
    Row expected_dz(kLength);
    gate_backward(user.data(), x.data(), expected_gate.data(), dz.data(), kLength);
    reference::gate_backward(user.data(), x.data(), expected_gate.data(), expected_dz.data(),
                             kLength);
    expect_close(dz, expected_dz, 3e-7);
  }
}

TEST(Activations, ExponentialsAndTheirSum) {
  for (const size_t count : {size_t{1}, size_t{7}, size_t{8}, size_t{93}}) {
    Row found = random_row(1, 1, count);
    Row expected = found;
    const float sum = exp_and_sum(5, 5, found.data(), count);
    const float expected_sum = reference::exp_and_sum(5, 5, expected.data(), count);
    expect_close(found, expected, 1e-6);
    EXPECT_NEAR(sum, expected_sum, 1e-5 * static_cast<double>(count));
  }
}

TEST(Activations, NormalsAgreeWithTheReferenceAndHaveTheRightMoments) {
  constexpr size_t kCount = 160000;
  std::vector<uint32_t> words(kCount);
  Draws draws = Random(3, "normals").draws();
  for (uint32_t& word : words) word = draws.u32();
  words[0] = 0;  // the smallest uniform, whose logarithm must stay finite
  words[1] = UINT32_MAX;
  Row found(kCount);
  Row expected(kCount);
  normals_from_words(words.data(), found.data(), kCount);
  reference::normals_from_words(words.data(), expected.data(), kCount);
  expect_close(found, expected, 5e-6);
  double sums[4] = {};
  for (const float x : found)
    for (int power = 1; power <= 4; ++power) sums[power - 1] += std::pow(double{x}, power);
  const double n = kCount;
  EXPECT_NEAR(sums[0] / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(sums[1] / n, 1, 4 * std::sqrt(2 / n));
  EXPECT_NEAR(sums[2] / n, 0, 4 * std::sqrt(15 / n));
  EXPECT_NEAR(sums[3] / n, 3, 4 * std::sqrt(96 / n));
}

}  // namespace
}  // namespace divns
