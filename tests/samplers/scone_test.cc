// SPDX-License-Identifier: Apache-2.0
#include "samplers/scone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "samplers/info_nce.h"
#include "samplers/scone_network.h"
#include "samplers/scone_reverse.h"
#include "support/batch_run.h"
#include "support/errors.h"
#include "support/trained.h"

namespace divns {
namespace {

using testing::BatchRun;
using testing::Matrix;
using testing::OwnedInteractions;
using testing::Settings;
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

TEST(Scone, NoiseFeaturesAreSinesThenCosines) {
  std::vector<float> out(64);
  noise_features(.02, out);
  EXPECT_NEAR(out[0], .0199987, 5e-8);
  EXPECT_NEAR(out[31], 2e-6, 1e-12);
  EXPECT_NEAR(out[32], .9998000, 5e-8);
  EXPECT_NEAR(out[63], 1, 1e-7);
}

// With a score of zero and no noise, nine mixings leave w^9 of the negative.
TEST(Scone, InjectionAloneMixesNineTimes) {
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

TEST(InfoNce, WorkedExample) {
  const Executor executor(1);
  InfoNce nce(2, executor);
  Table a(2, 2);
  Table b(2, 2);
  const float values_a[2][2] = {{1, 0}, {0, 2}};
  const float values_b[2][2] = {{.8F, .6F}, {-.6F, .8F}};
  for (size_t i = 0; i < 2; ++i) {
    std::copy_n(values_a[i], 2, a.row(i));
    std::copy_n(values_b[i], 2, b.row(i));
  }
  Table da(2, 2);
  Table db(2, 2);
  EXPECT_NEAR(nce.loss(a, b, 0, 2, .2, 1, da, db), .1570747, 1e-6);
  // Alone, a row has nothing to be told from: -log(1 + 1e-5).
  EXPECT_NEAR(nce.loss(a, b, 1, 1, .2, 1, da, db), -std::log(1 + 1e-5), 1e-7);
}

TEST(InfoNce, GradientsAgreeWithFiniteDifferencesOverManyGroups) {
  constexpr uint32_t kRows = 150;  // three blocks of rows, hence three groups
  constexpr uint32_t kDim = 5;
  const Executor executor(2);
  InfoNce nce(kDim, executor);
  const Table a = testing::random_table(kRows, kDim, 1);
  const Table b = testing::random_table(kRows, kDim, 2);
  Table da(kRows, kDim);
  Table db(kRows, kDim);
  const double loss = nce.loss(a, b, 0, kRows, .5, 3, da, db);
  Matrix x[2];
  for (uint32_t i = 0; i < kRows; ++i) {
    x[0].emplace_back(a.row(i), a.row(i) + kDim);
    x[1].emplace_back(b.row(i), b.row(i) + kDim);
  }
  const auto cosine = [](const Vector& u, const Vector& v) {
    return testing::dot(u, v) / std::sqrt(testing::dot(u, u) * testing::dot(v, v));
  };
  const auto reference = [&] {
    double sum = 0;
    for (uint32_t i = 0; i < kRows; ++i) {
      double all = 0;
      for (uint32_t j = 0; j < kRows; ++j) all += std::exp(cosine(x[0][i], x[1][j]) / .5);
      sum -= std::log(std::exp(cosine(x[0][i], x[1][i]) / .5) / all + 1e-5);
    }
    return 3 * sum / kRows;
  };
  EXPECT_NEAR(loss, reference(), 1e-5);
  for (const uint32_t i : {0U, 63U, 64U, 149U})
    for (uint32_t k = 0; k < kDim; ++k)
      for (const int side : {0, 1}) {
        double& value = x[side][i][k];
        constexpr double kStep = 1e-4;
        value += kStep;
        const double above = reference();
        value -= 2 * kStep;
        const double below = reference();
        value += kStep;
        EXPECT_NEAR((side == 0 ? da : db).row(i)[k], (above - below) / (2 * kStep), 1e-6)
            << i << " " << k << " " << side;
      }
}

// The network as the authors lay it out, in float64, from the parameter blocks.
struct DoubleNetwork {
  struct Layer {
    Matrix weight;
    Vector bias;
    Vector operator()(const Vector& x) const {
      Vector y = bias;
      for (size_t i = 0; i < y.size(); ++i) y[i] += testing::dot(weight[i], x);
      return y;
    }
  };
  std::vector<Layer> layers;  // in the order of parameters()

  // Sizes of the layers' inputs and outputs, which the padded blocks do not tell.
  DoubleNetwork(const std::vector<SamplerParameters>& blocks, uint32_t d, uint32_t inner,
                uint32_t hidden) {
    const uint32_t t = 4 * d;
    const std::pair<uint32_t, uint32_t> shapes[] = {
        {d, t},      {t, t},           {d, inner},       {inner, hidden},
        {t, hidden}, {hidden, hidden}, {hidden, hidden}, {2 * hidden, hidden},
        {t, hidden}, {hidden, inner},  {inner, d}};
    for (size_t l = 0; l < std::size(shapes); ++l) {
      const auto [in, out] = shapes[l];
      Layer layer;
      for (uint32_t i = 0; i < out; ++i) {
        const auto row = blocks[2 * l].values.begin() + i * padded(in);
        layer.weight.emplace_back(row, row + in);
      }
      layer.bias.assign(blocks[2 * l + 1].values.begin(), blocks[2 * l + 1].values.begin() + out);
      layers.push_back(layer);
    }
  }
  static Vector tanh_of(Vector x) {
    for (double& v : x) v = std::tanh(v);
    return x;
  }
  static Vector sum(Vector a, const Vector& b) {
    for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }
  Vector operator()(const Vector& x, double sigma) const {
    const size_t d = x.size();
    const size_t half = d / 2;
    Vector features(d, 0);
    for (size_t k = 0; k < half; ++k) {
      const double angle =
          sigma * std::pow(1e4, -static_cast<double>(k) / static_cast<double>(half - 1));
      features[k] = std::sin(angle);
      features[half + k] = std::cos(angle);
    }
    const Vector tau = layers[1](tanh_of(layers[0](features)));
    const Vector encoded = sum(tanh_of(layers[3](layers[2](x))), layers[4](tau));
    Vector skip = layers[5](encoded);
    const Vector bottom = layers[6](skip);
    skip.insert(skip.end(), bottom.begin(), bottom.end());
    return layers[10](layers[9](sum(tanh_of(layers[7](skip)), layers[8](tau))));
  }
};

constexpr uint32_t kDim = 5;
constexpr uint32_t kInner = 3;
constexpr uint32_t kHidden = 6;

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
  SconeNetwork network(kDim, kInner, kHidden, 3);
  // Biases that matter, since some start at zero.
  for (SamplerParameters& block : network.parameters(1))
    if (block.name == "time2.bias") block.values[1] = .7F;
  const DoubleNetwork expected(network.parameters(1), kDim, kInner, kHidden);
  ScoreFunction function(kDim, kHidden, executor);
  network.fold(function);
  const Table x = testing::random_table(9, kDim, 1);
  for (const double sigma : {.01, .3, 40.0}) {
    Table out(9, kDim);
    std::vector<float> kept(2 * 9 * function.hidden_stride());
    function.forward(9, x.data(), function.at_level(sigma), kept.data(), out.data());
    for (uint32_t i = 0; i < 9; ++i) {
      const Vector score = expected(Vector(x.row(i), x.row(i) + kDim), sigma);
      for (uint32_t k = 0; k < kDim; ++k) EXPECT_NEAR(out.row(i)[k], score[k], 1e-6);
    }
  }
}

TEST(SconeNetwork, MatchingLossAndItsGradientsByEveryParameter) {
  const Executor executor(2);
  SconeNetwork network(kDim, kInner, kHidden, 3);
  for (SamplerParameters& block : network.parameters(1))
    for (size_t i = 0; block.name == "time1.bias" && i < 4 * kDim; ++i)
      block.values[i] = .1F * static_cast<float>(i % 3);
  DoubleNetwork expected(network.parameters(1), kDim, kInner, kHidden);
  ScoreFunction function(kDim, kHidden, executor);
  network.fold(function);
  constexpr uint32_t kRows = 7;
  const Table clean = testing::random_table(kRows, kDim, 1);
  const Table noise = testing::random_table(kRows, kDim, 2);
  const std::vector<double> sigmas = {.01, .05, .3, 1, 2, .7, 3};
  const double weight = 1.0 / (kRows * kDim);
  const auto reference = [&] {
    double loss = 0;
    for (uint32_t r = 0; r < kRows; ++r) {
      Vector x(kDim);
      for (uint32_t k = 0; k < kDim; ++k)
        x[k] = double{clean.row(r)[k]} + sigmas[r] * double{noise.row(r)[k]};
      const Vector score = expected(x, sigmas[r]);
      for (uint32_t k = 0; k < kDim; ++k) {
        const double error = sigmas[r] * score[k] + double{noise.row(r)[k]};
        loss += weight * error * error;
      }
    }
    return loss;
  };
  // In two calls, as when all users and items take part.
  const auto part = [&](uint32_t begin, uint32_t end, bool add) {
    Table some_clean(end - begin, kDim);
    Table some_noise(end - begin, kDim);
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

// A reverse run in float64 with given deviates.
struct DoubleRun {
  const DoubleNetwork& network;
  std::vector<ReverseStep> steps;
  double keep;

  // `normals[s]` for x and, after it, for the companion.
  Vector operator()(Vector x, Vector companion,
                    const std::vector<std::vector<float>>& normals) const {
    const size_t d = x.size();
    const auto move = [&](Vector& v, size_t s, size_t offset) {
      const Vector score = network(v, steps[s].sigma);
      for (size_t k = 0; k < d; ++k) {
        v[k] += steps[s].drift * score[k];
        if (s + 1 < steps.size()) v[k] += steps[s].noise * double{normals[s][offset + k]};
      }
    };
    for (size_t s = 0; s < steps.size(); ++s) {
      if (s + 1 < steps.size())
        for (size_t k = 0; k < d; ++k) x[k] = keep * x[k] + (1 - keep) * companion[k];
      move(x, s, 0);
      move(companion, s, padded(static_cast<uint32_t>(d)));
    }
    return x;
  }
};

// The Jacobian of the whole run, score network and all, against finite differences. Drifts are
// enlarged so that the network's part cannot hide behind the identity.
TEST(ReverseRun, GradientsPassThroughEveryStep) {
  const Executor executor(1);
  SconeNetwork network(kDim, kInner, kHidden, 3);
  for (SamplerParameters& block : network.parameters(1))
    for (float& value : block.values) value *= 2;
  const DoubleNetwork expected(network.parameters(1), kDim, kInner, kHidden);
  ScoreFunction function(kDim, kHidden, executor);
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
  const Table x = testing::random_table(1, kDim, 1);
  const Table companion = testing::random_table(1, kDim, 2);
  Table state = x;
  Table others = companion;
  ReverseRun run(function, Random(1, "test"), executor);
  run.forward(path, 0, state, &others);
  const DoubleRun reference{expected, path.steps, double{path.keep}};
  const std::vector<std::vector<float>> none(5, std::vector<float>(2 * padded(kDim)));
  Vector from[2] = {Vector(x.row(0), x.row(0) + kDim),
                    Vector(companion.row(0), companion.row(0) + kDim)};
  const Vector to = reference(from[0], from[1], none);
  for (uint32_t k = 0; k < kDim; ++k) EXPECT_NEAR(state.row(0)[k], to[k], 1e-5);

  Table gradient = testing::random_table(1, kDim, 3);
  const Vector seed(gradient.row(0), gradient.row(0) + kDim);
  Table companion_gradient(1, kDim);
  run.backward(path, gradient, &companion_gradient);
  for (const int which : {0, 1})
    for (uint32_t k = 0; k < kDim; ++k) {
      double& value = from[which][k];
      constexpr double kStep = 1e-5;
      value += kStep;
      const double above = testing::dot(seed, reference(from[0], from[1], none));
      value -= 2 * kStep;
      const double below = testing::dot(seed, reference(from[0], from[1], none));
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

// The whole loss of a batch by every parameter of the model, by central differences of the loss
// itself: draws and noise are functions of the batch, so they stay put.
class SconeGradients : public ::testing::TestWithParam<std::pair<const char*, Settings>> {};

TEST_P(SconeGradients, AgreeWithCentralDifferences) {
  Settings settings = GetParam().second;
  settings.emplace_back("scone.score_dims", "3,6");
  settings.emplace_back("scone.score_rows", "10");
  // Large noise and few steps: a score whose Jacobian counts.
  settings.emplace_back("scone.sigma_min", "0.5");
  settings.emplace_back("scone.diffusion_steps", "4");
  settings.emplace_back("scone.sampling_ratio", "1");
  settings.emplace_back("scone.sigma_max", "2");
  BatchRun run(OwnedInteractions({{0, 1}, {1, 2, 5}, {1, 3}, {}}, 9), "scone", 2, 6, 1, settings);
  run.run();
  Matrix found;
  for (size_t node = 0; node < 4 + 9; ++node) {
    found.emplace_back();
    for (uint32_t k = 0; k < 6; ++k) found.back().push_back(run.gradient(node, k));
  }
  double top = 0;
  for (size_t node = 0; node < 4 + 9; ++node)
    for (uint32_t k = 0; k < 6; ++k) {
      Table& table = node < 4 ? run.model->user_parameters() : run.model->item_parameters();
      float& value = table.row(node < 4 ? node : node - 4)[k];
      const float kept = value;
      constexpr float kStep = 4e-3F;
      value = kept + kStep;
      const double above = run.run();
      const double moved_up = double{value};
      value = kept - kStep;
      const double below = run.run();
      const double slope = (above - below) / (moved_up - double{value});
      value = kept;
      EXPECT_NEAR(found[node][k], slope, 1.5e-4) << node << " " << k;
      top = std::max(top, std::abs(slope));
    }
  EXPECT_GT(top, .03);  // two hundred times the tolerance
}

INSTANTIATE_TEST_SUITE_P(
    Options, SconeGradients,
    ::testing::Values(std::pair("SamplerAlone", Settings{{"scone.cl_weight", "0"}}),
                      std::pair("WithViews", Settings{{"scone.cl_weight", "0.5"}}),
                      std::pair("WithNorms",
                                Settings{{"scone.cl_weight", "0"}, {"scone.norm_weight", "0.7"}})),
    [](const auto& each) { return std::string(each.param.first); });

TEST(Scone, DetachedScoreGivesTheClosedForm) {
  const auto gradients = [](const char* detach) {
    BatchRun run(OwnedInteractions({{0, 1}, {1, 2, 5}, {1, 3}, {}}, 9), "scone", 1, 6, 2,
                 {{"scone.detach_score", detach}, {"scone.cl_weight", "0"}});
    run.run();
    const Table& by_vector =
        run.gradients.free_vector_gradients(run.batch, run.negatives, run.model->view());
    // First the drawn items' gradients, then the positives'.
    const size_t count = run.batch.size() * 2;
    double error = 0;
    for (size_t n = 0; n < count; ++n)
      for (uint32_t k = 0; k < 6; ++k) {
        const double g = double{by_vector.row(n)[k]};
        error = std::max(error, std::abs(double{run.extra.vectors.row(n)[k]} - .3874205 * g));
        error = std::max(
            error, std::abs(double{run.extra.vectors.row(count + n)[k]} - (1 - .3874205) * g));
      }
    return error;
  };
  EXPECT_LT(gradients("true"), 1e-7);
  EXPECT_GT(gradients("false"), 1e-7);
}

TEST(Scone, AuthorsRankingLossIsOursButForItsFloor) {
  EXPECT_NEAR(-std::log(1e-5 + 1 / (1 + std::exp(.05))), .7184391, 1e-7);
  EXPECT_NEAR(std::log1p(std::exp(.05)), .7184391, 2.1e-5);
}

TEST(Scone, ScoreNetworkLearnsFromAllRowsOrSome) {
  for (const char* rows : {"0", "64"}) {
    BatchRun run(testing::random_interactions(40, 30, 4, 1), "scone", 2, 8, 1,
                 {{"scone.score_rows", rows}, {"scone.score_clip", "0.5"}});
    run.run();
    double squares = 0;
    for (const SamplerParameters& block : run.sampler->parameters()) {
      EXPECT_NEAR(block.learning_rate, 1e-3 / 10000, 1e-12);  // the first of the warm-up
      for (const float g : block.gradient) squares += double{g} * double{g};
    }
    EXPECT_GT(squares, 0);
    EXPECT_LE(std::sqrt(squares), .5 + 1e-5);
  }
}

TEST(Scone, RefusesWhatCannotBe) {
  const auto start = [](const Settings& settings) {
    BatchRun(OwnedInteractions({{0}, {1}}, 3), "scone", 1, 4, 1, settings);
  };
  EXPECT_ERROR(start({{"scone.sigma_max", "0.001"}}), "larger than scone.sigma_min");
  EXPECT_ERROR(start({{"scone.score_dims", "64"}}), "it takes two");
  EXPECT_ERROR(start({{"scone.sampling_ratio", "0.001"}}), "less than one step");
}

TEST(Scone, SameBitsForAnyThreadsAndAcrossSaveAndLoad) {
  testing::expect_same_bits("scone", "lightgcn", {{"scone.score_warmup", "5"}});
}

}  // namespace
}  // namespace divns
