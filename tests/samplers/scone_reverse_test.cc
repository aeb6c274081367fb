// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "samplers/scone/network.h"
#include "samplers/scone/reverse.h"
#include "support/double_network.h"
#include "support/tables.h"

namespace divns {
namespace {

using testing::DoubleNetwork;
using testing::kNetworkDim;
using testing::kNetworkHidden;
using testing::kNetworkInner;
using testing::Vector;

TEST(VeSde, StepsAreThoseOfTheSpecification) {
  const auto steps = reverse_steps({}, 0.1);
  ASSERT_EQ(steps.size(), 10U);
  EXPECT_NEAR(steps[0].time, .1, 1e-12);
  EXPECT_NEAR(steps[1].time, .08889, 1e-5);
  EXPECT_NEAR(steps[8].time, .01112, 1e-5);
  EXPECT_NEAR(steps[9].time, .00001, 1e-12);
  const double sigmas[] = {.0234367, .0213207, .0193957, .0176445, .0160515,
                           .0146022, .0132838, .0120845, .0109934, .0100009};
  for (size_t i = 0; i < 10; ++i) EXPECT_NEAR(steps[i].sigma, sigmas[i], 5e-8);
  EXPECT_NEAR(steps[0].drift, 9.35665e-5, 5e-11);
  EXPECT_NEAR(steps[9].drift, 1.70373e-5, 5e-11);
  EXPECT_NEAR(steps[0].noise, .0096730, 5e-8);
  EXPECT_NEAR(steps[9].noise, .0041276, 5e-8);
}

// With a score of zero and no noise, nine mixings leave w^9 of the negative.
TEST(ReverseRun, InjectionAloneMixesNineTimes) {
  const Executor executor(1);
  ScoreFunction zero(2, 4, executor);
  ReverseRun run(zero, Random(1, "test"), executor);
  ReversePath path;
  path.steps = reverse_steps({}, 0.1);
  for (ReverseStep& step : path.steps) {
    step.noise = 0;
    path.levels.push_back(zero.at_level(step.sigma));
  }
  path.keep = .9F;
  Table negative(1, 2);
  Table positive(1, 2);
  std::copy_n(std::array{1.2F, -.4F}.data(), 2, negative.row(0));
  std::copy_n(std::array{.9F, .1F}.data(), 2, positive.row(0));
  run.forward(path, 0, negative, &positive);
  EXPECT_NEAR(negative.row(0)[0], 1.0162261, 1e-6);
  EXPECT_NEAR(negative.row(0)[1], -.0937102, 1e-6);
  for (const bool detach : {false, true}) {
    path.detach_score = detach;
    Table gradient(1, 2);
    Table companion(1, 2);
    gradient.row(0)[0] = 1;
    run.backward(path, gradient, &companion);
    EXPECT_NEAR(gradient.row(0)[0], .3874205, 1e-6);
    EXPECT_NEAR(companion.row(0)[0], 1 - .3874205, 1e-6);
  }
}

// A reverse run in float64, without noise.
struct DoubleRun {
  const DoubleNetwork& network;
  std::vector<ReverseStep> steps;
  double keep;

  Vector operator()(Vector x, Vector companion) const {
    const auto move = [&](Vector& v, size_t s) {
      const Vector score = network(v, steps[s].sigma);
      for (size_t k = 0; k < v.size(); ++k) v[k] += steps[s].drift * score[k];
    };
    for (size_t s = 0; s < steps.size(); ++s) {
      if (s + 1 < steps.size())
        for (size_t k = 0; k < x.size(); ++k) x[k] = keep * x[k] + (1 - keep) * companion[k];
      move(x, s);
      move(companion, s);
    }
    return x;
  }
};

// The Jacobian of the whole run, score network and all, against finite differences. Drifts are
// enlarged so that the network's part cannot hide behind the identity.
TEST(ReverseRun, GradientsPassThroughEveryStep) {
  const Executor executor(1);
  SconeNetwork network(kNetworkDim, kNetworkInner, kNetworkHidden, 3);
  for (SamplerParameters& block : network.parameters(1))
    for (float& value : block.values) value *= 2;
  const DoubleNetwork expected(network.parameters(1), kNetworkDim, kNetworkInner, kNetworkHidden);
  ScoreFunction function(kNetworkDim, kNetworkHidden, executor);
  network.fold(function);
  ReversePath path;
  path.steps = reverse_steps({.sigma_min = .01, .sigma_max = 50, .steps = 5}, 1);
  ASSERT_EQ(path.steps.size(), 5U);
  for (ReverseStep& step : path.steps) {
    step.drift = .3;
    step.noise = 0;
    path.levels.push_back(function.at_level(step.sigma));
  }
  path.keep = .7F;
  const Table x = testing::random_table(1, kNetworkDim, 1);
  const Table companion = testing::random_table(1, kNetworkDim, 2);
  Table state = x;
  Table others = companion;
  ReverseRun run(function, Random(1, "test"), executor);
  run.forward(path, 0, state, &others);
  const DoubleRun reference{expected, path.steps, double{path.keep}};
  Vector from[2] = {Vector(x.row(0), x.row(0) + kNetworkDim),
                    Vector(companion.row(0), companion.row(0) + kNetworkDim)};
  const Vector to = reference(from[0], from[1]);
  for (uint32_t k = 0; k < kNetworkDim; ++k) EXPECT_NEAR(state.row(0)[k], to[k], 1e-5);

  Table gradient = testing::random_table(1, kNetworkDim, 3);
  const Vector seed(gradient.row(0), gradient.row(0) + kNetworkDim);
  Table companion_gradient(1, kNetworkDim);
  run.backward(path, gradient, &companion_gradient);
  for (const int which : {0, 1})
    for (uint32_t k = 0; k < kNetworkDim; ++k) {
      double& value = from[which][k];
      constexpr double kStep = 1e-5;
      value += kStep;
      const double above = testing::dot(seed, reference(from[0], from[1]));
      value -= 2 * kStep;
      const double below = testing::dot(seed, reference(from[0], from[1]));
      value += kStep;
      EXPECT_NEAR((which == 0 ? gradient : companion_gradient).row(0)[k],
                  (above - below) / (2 * kStep), 1e-5)
          << which << " " << k;
    }
}

TEST(ReverseRun, NoiseHasTheVarianceOfTheSteps) {
  // A zero score leaves sums of noise: the sum of the squared steps but the last.
  const Executor executor(2);
  ScoreFunction zero(12, 4, executor);
  ReverseRun run(zero, Random(1, "test"), executor);
  ReversePath path;
  path.steps = reverse_steps({}, .1);
  double variance = path.steps[0].sigma * path.steps[0].sigma;
  for (size_t s = 0; s < path.steps.size(); ++s) {
    path.levels.push_back(zero.at_level(path.steps[s].sigma));
    if (s + 1 < path.steps.size()) variance += path.steps[s].noise * path.steps[s].noise;
  }
  constexpr uint32_t kRows = 3000;
  Table x(kRows, 12);
  run.add_noise(path, 7, x, nullptr);
  run.forward(path, 7, x, nullptr);
  double sum = 0;
  for (uint32_t r = 0; r < kRows; ++r) {
    for (uint32_t k = 0; k < 12; ++k) sum += double{x.row(r)[k]} * double{x.row(r)[k]};
    EXPECT_EQ(x.row(r)[12], 0);
  }
  EXPECT_NEAR(sum / (kRows * 12) / variance, 1, 4 * std::sqrt(2.0 / (kRows * 12)));
}

}  // namespace
}  // namespace divns
