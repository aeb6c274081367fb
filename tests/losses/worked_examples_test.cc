// SPDX-License-Identifier: Apache-2.0
// Losses and gradients of two rows with two negatives each, computed elsewhere in float64.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "divns/options.h"
#include "models/registry.h"
#include "support/interactions.h"
#include "support/loss_cases.h"
#include "support/unit_vectors.h"
#include "train/batch_gradients.h"

namespace divns {
namespace {

using testing::LossCase;
using testing::OwnedInteractions;

constexpr double kUsers[2][3] = {{0.6, -0.2, 0.3}, {0.1, 0.5, -0.4}};
// The positives of the two rows, then the negatives of the first row, then those of the second.
constexpr double kRowItems[6][3] = {{0.5, 0.1, 0.2},  {-0.3, 0.4, 0.1}, {0.4, -0.5, 0.1},
                                    {-0.2, 0.3, 0.6}, {0.2, 0.2, -0.5}, {0.7, -0.1, 0.0}};

// Gradients by the vectors above, row-major.
struct LossExample {
  const char* label;  // of testing::loss_cases()
  double loss;
  std::array<double, 6> users;
  std::array<double, 6> positives;
  std::array<double, 12> negatives;
};
const LossExample kLossExamples[] = {
    {"bpr",
     1.070905132,
     {-0.1096345, -0.0867760, 0.0331232, 0.2416133, -0.1110706, -0.1312578},
     {-0.1905998, 0.0635333, -0.0952999, -0.0338974, -0.1694869, 0.1355895},
     {0.1127320, -0.0375773, 0.0563660, 0.0778678, -0.0259559, 0.0389339, 0.0194721, 0.0973605,
      -0.0778884, 0.0144253, 0.0721264, -0.0577011}},
    {"softmax",
     1.004189538,
     {-0.8501326, -3.4225700, -0.5814482, 3.3844351, -3.0614629, -2.9807199},
     {-0.2173502, 2.0430921, -0.4781705, -1.8913360, -2.2696032, 3.4044049},
     {1.3418550, 1.3031477, 1.1483183, 0.0509963, -0.0169988, 0.0254982, -0.6203276, 2.0210675,
      0.5602959, 0.0065339, 0.0457372, -0.0362994}},
    {"softmax_inner",
     0.723724345,
     {-0.4538093, -1.2282542, -0.0801589, 1.4780319, -0.6368191, -1.2719681},
     {-1.5000000, 0.5000000, -0.7500000, -0.2500000, -1.2500000, 1.0000000},
     {1.2961907, -0.4320636, 0.6480953, 0.2038093, -0.0679364, 0.1019047, 0.2043936, 1.0219681,
      -0.8175745, 0.0456064, 0.2280319, -0.1824255}},
    {"softmax_with_positive",
     1.488353371,
     {-0.3536732, -1.4238618, -0.2418948, 3.0890954, -2.7943071, -2.7206101},
     {-0.0904223, 0.8499697, -0.1989291, -1.7262903, -2.0715484, 3.1073225},
     {0.5582402, 0.5421371, 0.4777248, 0.0212156, -0.0070719, 0.0106078, -0.5661953, 1.8447008,
      0.5114022, 0.0059637, 0.0417460, -0.0331317}},
    {"bsl_reweight",
     1.845120846,
     {-0.9110404, -3.7956965, -0.7083836, 3.5605684, -3.3026934, -3.2382247},
     {-0.2173502, 2.0430921, -0.4781705, -1.8913360, -2.2696032, 3.4044049},
     {1.6102261, 1.5637772, 1.3779819, 0.0611956, -0.0203985, 0.0305978, -0.7443932, 2.4252810,
      0.6723551, 0.0078407, 0.0548846, -0.0435592}},
    {"bsl_multi",
     0.391578793,
     {-1.3712948, -5.1091056, -0.6634807, 1.4484265, -1.7375811, -1.8098698},
     {-0.4007036, 3.7666140, -0.8815480, -0.2958332, -0.3549998, 0.5324998},
     {1.6102261, 1.5637772, 1.3779819, 0.0611956, -0.0203985, 0.0305978, -0.7443932, 2.4252810,
      0.6723551, 0.0078407, 0.0548846, -0.0435592}},
    {"bce",
     1.373243215,
     {-0.0698065, -0.0572228, 0.0482055, 0.1874730, -0.0771679, -0.0957928},
     {-0.1247428, 0.0415809, -0.0623714, -0.0233773, -0.1168864, 0.0935091},
     {0.0887188, -0.0295729, 0.0443594, 0.0750000, -0.0250000, 0.0375000, 0.0144831, 0.0724155,
      -0.0579324, 0.0126250, 0.0631250, -0.0505000}},
    {"ccl",
     0.913087069,
     {-0.1529804, -0.5998627, -0.0939477, 0.6254644, -0.5533316, -0.5352984},
     {-0.0434700, 0.4086184, -0.0956341, -0.3782672, -0.4539206, 0.6808810},
     {0.2046881, 0.1987837, 0.1751658, 0.0000000, 0.0000000, 0.0000000, -0.0946232, 0.3082883,
      0.0854661, 0.0000000, 0.0000000, 0.0000000}},
};

LossCase case_of(const LossExample& example) {
  for (LossCase& c : testing::loss_cases())
    if (c.label == example.label) return c;
  ADD_FAILURE() << example.label;
  return {};
}

const OwnedInteractions& example_train() {
  static const OwnedInteractions data({{0}, {1}}, 6);
  return data;
}

std::unique_ptr<Loss> started(const LossCase& c) {
  auto loss = c.make();
  loss->start({.train = example_train().view(), .negatives = 2, .cosine = c.cosine});
  return loss;
}

class WorkedLoss : public ::testing::TestWithParam<LossExample> {};

// The chain rule by hand, from the scores' derivatives.
TEST_P(WorkedLoss, HasTheseDerivatives) {
  const LossExample& example = GetParam();
  const LossCase c = case_of(example);
  const auto loss = started(c);
  const auto dot = [](const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  const auto length = [&](const double* a) { return c.cosine ? std::sqrt(dot(a, a)) : 1.0; };
  const auto score = [&](const double* a, const double* b) {
    return dot(a, b) / (length(a) * length(b));
  };
  // d score(a, b) / d a_k
  const auto slope = [&](const double* a, const double* b, size_t k) {
    const double own = c.cosine ? score(a, b) * a[k] / dot(a, a) : 0;
    return b[k] / (length(a) * length(b)) - own;
  };

  const std::vector<uint32_t> users = {7, 7};  // "both rows of one user"
  std::vector<float> positive_scores;
  std::vector<float> negative_scores;
  for (size_t r = 0; r < 2; ++r) {
    positive_scores.push_back(static_cast<float>(score(kUsers[r], kRowItems[r])));
    for (size_t k = 0; k < 2; ++k)
      negative_scores.push_back(static_cast<float>(score(kUsers[r], kRowItems[2 + 2 * r + k])));
  }
  std::vector<double> losses(2);
  std::vector<float> positive_slopes(2);
  std::vector<float> negative_slopes(4);
  loss->rows({.negatives_per_row = 2,
              .positive_scores = positive_scores,
              .negative_scores = negative_scores,
              .users = users,
              .share = 0.5F},
             {losses, positive_slopes, negative_slopes});
  EXPECT_NEAR((losses[0] + losses[1]) / 2, example.loss, 1e-6);
  for (size_t r = 0; r < 2; ++r)
    for (size_t k = 0; k < 3; ++k) {
      double by_user = double{positive_slopes[r]} * slope(kUsers[r], kRowItems[r], k);
      EXPECT_NEAR(double{positive_slopes[r]} * slope(kRowItems[r], kUsers[r], k),
                  example.positives[3 * r + k], 2e-6);
      for (size_t n = 2 * r; n < 2 * r + 2; ++n) {
        by_user += double{negative_slopes[n]} * slope(kUsers[r], kRowItems[2 + n], k);
        EXPECT_NEAR(double{negative_slopes[n]} * slope(kRowItems[2 + n], kUsers[r], k),
                    example.negatives[3 * n + k], 2e-6);
      }
      EXPECT_NEAR(by_user, example.users[3 * r + k], 2e-6);
    }
}

// The same by the trainer, except for the example in which two user vectors stand for one user.
TEST_P(WorkedLoss, HasTheseGradientsInTraining) {
  const LossExample& example = GetParam();
  const LossCase c = case_of(example);
  const auto loss = started(c);
  if (loss->joins_users()) return;
  const Executor executor(1);
  const OwnedInteractions& data = example_train();
  const auto model = find_model("mf").make();
  model->start({data.view(), executor, 3});
  for (size_t k = 0; k < 3; ++k) {
    for (uint32_t u = 0; u < 2; ++u)
      model->user_parameters().row(u)[k] = static_cast<float>(kUsers[u][k]);
    for (uint32_t i = 0; i < 6; ++i)
      model->item_parameters().row(i)[k] = static_cast<float>(kRowItems[i][k]);
  }
  const std::vector<uint32_t> rows = {0, 1};
  const Batch batch{.users = rows, .positives = rows};
  Negatives negatives;
  negatives.reset(2, 2, 1);
  for (uint32_t n = 0; n < 4; ++n) negatives.terms[n].item = 2 + n;
  const ObjectiveOptions objective = {
      .l2 = 0, .similarity = c.cosine ? ScoreSimilarity::kCosine : ScoreSimilarity::kInner};
  BatchGradients gradients(objective, *loss, 2, 6, 3, 1, executor);
  const testing::UnitVectors unit(model->view());
  gradients.score(batch, negatives, model->view(), c.cosine ? unit.view() : model->view());
  gradients.accumulate(batch, negatives, model->view(), {});
  EXPECT_NEAR(gradients.loss(), example.loss, 1e-6);
  const auto expect_row = [&](const RowGradients& side, uint32_t row, const double* expected) {
    for (size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(side.pooled.row(row)[k], expected[k], 3e-6) << row << " " << k;
  };
  for (uint32_t r = 0; r < 2; ++r) {
    expect_row(gradients.users(), r, &example.users[3 * size_t{r}]);
    expect_row(gradients.items(), r, &example.positives[3 * size_t{r}]);
  }
  for (uint32_t n = 0; n < 4; ++n)
    expect_row(gradients.items(), 2 + n, &example.negatives[3 * size_t{n}]);
}

INSTANTIATE_TEST_SUITE_P(Spec, WorkedLoss, ::testing::ValuesIn(kLossExamples),
                         [](const auto& each) { return std::string(each.param.label); });

// User 0 owns 2 of 12 items. The second negative is the first that violates the margin, so the rank
// is 10 / 2 = 5 and the weight 1 + 1/2 + 1/3 + 1/4 + 1/5.
TEST(Warp, WeighsTheFirstViolationByTheEstimatedRank) {
  const OwnedInteractions data({{3, 4}}, 12);
  const auto loss = find_loss("warp").make();
  loss->start({.train = data.view(), .negatives = 3});
  const uint32_t user = 0;
  const float positive = 1.5F;
  const std::vector<float> scores = {0.25F, 0.75F, 3};
  double value = 0;
  float positive_slope = 0;
  std::vector<float> slopes(3);
  loss->rows({.negatives_per_row = 3,
              .positive_scores = {&positive, 1},
              .negative_scores = scores,
              .users = {&user, 1}},
             {{&value, 1}, {&positive_slope, 1}, slopes});
  const double weight = 137.0 / 60;
  EXPECT_NEAR(value, 0.25 * weight, 1e-9);
  EXPECT_NEAR(positive_slope, -weight, 1e-6);
  EXPECT_EQ(slopes[0], 0);
  EXPECT_NEAR(slopes[1], weight, 1e-6);
  EXPECT_EQ(slopes[2], 0);
}

// One row of softmax or BSL with two equal negatives: -s_p/tau + ratio (log 2 + s_n/tau).
TEST(Temperature, FallsWithTheLogarithmOfTheNumberOfItems) {
  for (const uint32_t items : {uint32_t{100}, uint32_t{40000}}) {
    const OwnedInteractions data({{3, 4}}, items);
    const double temperature = 1.1 / std::log(static_cast<double>(items));
    for (const auto& [name, ratio] : {std::pair("softmax", 1.0), std::pair("bsl", 0.84)}) {
      const auto loss = find_loss(name).make();
      Options options;
      loss->declare(options);
      loss->start({.train = data.view(), .negatives = 2, .cosine = true});
      const float positive = 0.75F;
      const std::vector<float> negatives = {0.25F, 0.25F};
      const uint32_t user = 0;
      double value = 0;
      float positive_slope = 0;
      std::vector<float> slopes(2);
      loss->rows({.negatives_per_row = 2,
                  .positive_scores = {&positive, 1},
                  .negative_scores = negatives,
                  .users = {&user, 1}},
                 {{&value, 1}, {&positive_slope, 1}, slopes});
      EXPECT_NEAR(value, -0.75 / temperature + ratio * (std::log(2.0) + 0.25 / temperature), 1e-6);
      EXPECT_NEAR(positive_slope, -1 / temperature, 1e-5);
    }
  }
}

TEST(Hinge, IsTheMeanOverTheNegatives) {
  const auto loss = find_loss("hinge").make();
  const float positive = 1.5F;
  const std::vector<float> scores = {0.25F, 0.75F, 3, 0};
  double value = 0;
  float positive_slope = 0;
  std::vector<float> slopes(4);
  loss->rows({.negatives_per_row = 4, .positive_scores = {&positive, 1}, .negative_scores = scores},
             {{&value, 1}, {&positive_slope, 1}, slopes});
  EXPECT_NEAR(value, (0.25 + 2.5) / 4, 1e-9);
  EXPECT_EQ(positive_slope, -0.5F);
  EXPECT_EQ(slopes, (std::vector<float>{0, 0.25F, 0.25F, 0}));
}

}  // namespace
}  // namespace divns
