// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "samplers/scone/network.h"
#include "samplers/scone/ve_sde.h"
#include "support/double_network.h"
#include "support/tables.h"

namespace divns {
namespace {

using testing::DoubleNetwork;
using testing::kNetworkDim;
using testing::kNetworkHidden;
using testing::kNetworkInner;
using testing::Vector;

TEST(ScoreFunction, NoiseFeaturesAreSinesThenCosines) {
  std::vector<float> out(64);
  noise_features(.02, out);
  EXPECT_NEAR(out[0], .0199987, 5e-8);
  EXPECT_NEAR(out[31], 2e-6, 1e-12);
  EXPECT_NEAR(out[32], .9998000, 5e-8);
  EXPECT_NEAR(out[63], 1, 1e-7);
}

TEST(SconeNetwork, HasTheAuthorsParametersAndStart) {
  SconeNetwork network(64, 64, 128, 1);
  size_t count = 0;
  for (const SamplerParameters& block : network.parameters(1)) {
    count += block.values.size();
    double top = 0;
    for (const float x : block.values) top = std::max(top, std::abs(double{x}));
    if (block.name == "time1.weight") {
      EXPECT_NEAR(top, std::sqrt(6.0 / 320), 1e-3);
    }
    if (block.name == "time2.bias") {
      EXPECT_EQ(top, 0);
    }
    if (block.name == "bottom.weight") {
      EXPECT_NEAR(top, 1 / std::sqrt(128.0), 1e-3);
    }
    if (block.name == "bottom.bias") {
      EXPECT_GT(top, 0);
    }
  }
  EXPECT_EQ(count, 239040U);
}

TEST(SconeNetwork, FoldedItIsTheSameFunction) {
  const Executor executor(1);
  SconeNetwork network(kNetworkDim, kNetworkInner, kNetworkHidden, 3);
  // Biases that matter, since some start at zero.
  for (SamplerParameters& block : network.parameters(1))
    if (block.name == "time2.bias") block.values[1] = .7F;
  const DoubleNetwork expected(network.parameters(1), kNetworkDim, kNetworkInner, kNetworkHidden);
  ScoreFunction function(kNetworkDim, kNetworkHidden, executor);
  network.fold(function);
  const Table x = testing::random_table(9, kNetworkDim, 1);
  for (const double sigma : {.01, .3, 40.0}) {
    Table out(9, kNetworkDim);
    std::vector<float> kept(2 * 9 * function.hidden_stride());
    function.forward(9, x.data(), function.at_level(sigma), kept.data(), out.data());
    for (uint32_t i = 0; i < 9; ++i) {
      const Vector score = expected(Vector(x.row(i), x.row(i) + kNetworkDim), sigma);
      for (uint32_t k = 0; k < kNetworkDim; ++k) EXPECT_NEAR(out.row(i)[k], score[k], 1e-6);
    }
  }
}

TEST(SconeNetwork, MatchingLossAndItsGradientsByEveryParameter) {
  const Executor executor(2);
  SconeNetwork network(kNetworkDim, kNetworkInner, kNetworkHidden, 3);
  for (SamplerParameters& block : network.parameters(1))
    for (size_t i = 0; block.name == "time1.bias" && i < 4 * kNetworkDim; ++i)
      block.values[i] = .1F * static_cast<float>(i % 3);
  DoubleNetwork expected(network.parameters(1), kNetworkDim, kNetworkInner, kNetworkHidden);
  ScoreFunction function(kNetworkDim, kNetworkHidden, executor);
  network.fold(function);
  constexpr uint32_t kRows = 7;
  const Table clean = testing::random_table(kRows, kNetworkDim, 1);
  const Table noise = testing::random_table(kRows, kNetworkDim, 2);
  const std::vector<double> sigmas = {.01, .05, .3, 1, 2, .7, 3};
  const double weight = 1.0 / (kRows * kNetworkDim);
  const auto reference = [&] {
    double loss = 0;
    for (uint32_t r = 0; r < kRows; ++r) {
      Vector x(kNetworkDim);
      for (uint32_t k = 0; k < kNetworkDim; ++k)
        x[k] = double{clean.row(r)[k]} + sigmas[r] * double{noise.row(r)[k]};
      const Vector score = expected(x, sigmas[r]);
      for (uint32_t k = 0; k < kNetworkDim; ++k) {
        const double error = sigmas[r] * score[k] + double{noise.row(r)[k]};
        loss += weight * error * error;
      }
    }
    return loss;
  };
  // In two calls, as when all users and items take part.
  const auto part = [&](uint32_t begin, uint32_t end, bool add) {
    Table some_clean(end - begin, kNetworkDim);
    Table some_noise(end - begin, kNetworkDim);
    std::copy_n(clean.row(begin), some_clean.size(), some_clean.data());
    std::copy_n(noise.row(begin), some_noise.size(), some_noise.data());
    return function.matching_loss(some_clean, some_noise,
                                  std::span(sigmas).subspan(begin, end - begin), weight, add);
  };
  const double loss = part(0, 4, false) + part(4, kRows, true);
  EXPECT_NEAR(loss, reference(), 1e-6);
  const double norm = network.unfold_gradients(function, 0);
  const auto blocks = network.parameters(1);
  double squares = 0;
  const auto check = [&](float found, double& value, size_t layer) {
    constexpr double kStep = 1e-5;
    value += kStep;
    const double above = reference();
    value -= 2 * kStep;
    const double below = reference();
    value += kStep;
    squares += double{found} * double{found};
    EXPECT_NEAR(found, (above - below) / (2 * kStep), 2e-6) << layer;
  };
  for (size_t l = 0; l < expected.layers.size(); ++l) {
    DoubleNetwork::Layer& layer = expected.layers[l];
    for (size_t i = 0; i < layer.bias.size(); ++i) {
      check(blocks[2 * l + 1].gradient[i], layer.bias[i], l);
      const size_t step = padded(static_cast<uint32_t>(layer.weight[i].size()));
      for (size_t k = 0; k < layer.weight[i].size(); ++k)
        check(blocks[2 * l].gradient[i * step + k], layer.weight[i][k], l);
    }
  }
  EXPECT_NEAR(norm, std::sqrt(squares), 1e-5);

  EXPECT_NEAR(network.unfold_gradients(function, norm / 2), norm, 1e-6);
  squares = 0;
  for (const SamplerParameters& block : network.parameters(1))
    for (const float g : block.gradient) squares += double{g} * double{g};
  EXPECT_NEAR(std::sqrt(squares), norm / 2, 1e-5);
}

TEST(SconeNetwork, WorkedScoreLoss) {
  // Whatever the input, a score of (2, -3): all weights zero, that bias.
  const Executor executor(1);
  ScoreFunction function(2, 4, executor);
  function.score.bias.row(0)[0] = 2;
  function.score.bias.row(0)[1] = -3;
  Table clean(1, 2);
  Table noise(1, 2);
  std::copy_n(std::array{.3F, -.2F}.data(), 2, clean.row(0));
  std::copy_n(std::array{.5F, -1.0F}.data(), 2, noise.row(0));
  const double sigma = VeSde().sigma(.37);
  EXPECT_NEAR(sigma, .2336786, 1e-6);
  EXPECT_NEAR(function.matching_loss(clean, noise, {&sigma, 1}, .5, false), 1.9146512, 1e-6);
  // dW of the first layer is what its input was multiplied by: see that it was x + sigma z.
  function.first.weight.row(0)[0] = 1;
  function.second.weight.row(0)[0] = 1;
  function.score.weight.row(0)[0] = 1;
  function.matching_loss(clean, noise, {&sigma, 1}, .5, false);
  const float* gradient = function.first.weight_gradient.row(0);
  EXPECT_NEAR(gradient[1] / gradient[0], -.4336786 / .4168393, 1e-5);
}

}  // namespace
}  // namespace divns
