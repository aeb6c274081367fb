// SPDX-License-Identifier: Apache-2.0
#include "samplers/scone/scone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/batch_run.h"
#include "support/errors.h"
#include "support/losses.h"
#include "support/trained.h"

namespace divns {
namespace {

using testing::BatchRun;
using testing::Matrix;
using testing::OwnedInteractions;
using testing::Settings;

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
    const Table& by_vector = run.gradients.free_vector_gradients(run.batch, run.negatives);
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

// The authors' -log(1e-5 + sigmoid(-x)) is .7184391 at x = .05.
TEST(Scone, RankingLossIsTheAuthorsButForTheirFloor) {
  float x = .05F;
  EXPECT_NEAR(testing::bpr_row({&x, 1}, {}, {&x, 1}), .7184391, 2.1e-5);
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
  testing::expect_same_bits("scone", "lightgcn",
                            {{"scone.score_warmup", "5"},
                             {"scone.score_dims", "8,16"},
                             {"scone.score_rows", "100"},
                             {"scone.sampling_ratio", "0.04"}});
}

}  // namespace
}  // namespace divns
