// SPDX-License-Identifier: Apache-2.0
// Negatives that the rows of a batch share, against BatchGradients with the same negatives listed
// row by row, for every loss and both models.
#include "train/shared_gradients.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "divns/options.h"
#include "models/registry.h"
#include "support/interactions.h"
#include "support/loss_cases.h"
#include "support/tables.h"
#include "support/unit_vectors.h"

namespace divns {
namespace {

using testing::LossCase;
using testing::OwnedInteractions;

constexpr uint32_t kSharedDim = 5;
constexpr uint32_t kSharedItems = 9;

// Every user owns two of the seven shared negatives (item 6 occurs twice), so that every row has
// five.
const OwnedInteractions& shared_train() {
  static const OwnedInteractions train({{0, 1, 7}, {2, 3, 8}, {4, 6}, {0, 5}}, kSharedItems);
  return train;
}
const std::vector<uint32_t> kShared = {5, 0, 6, 1, 2, 3, 6};
const std::vector<uint32_t> kSharedUsers = {0, 1, 2, 0, 1, 3};
const std::vector<uint32_t> kSharedPositives = {7, 8, 4, 0, 2, 5};

struct Fixture {
  Executor executor{2};
  std::unique_ptr<Model> model;
  Batch batch{.users = kSharedUsers, .positives = kSharedPositives};

  explicit Fixture(const char* name) : model(find_model(name).make()) {
    Options options;
    model->declare(options);
    model->start({shared_train().view(), executor, kSharedDim});
    const Table users = testing::random_table(4, kSharedDim, 1);
    const Table items = testing::random_table(kSharedItems, kSharedDim, 2);
    std::copy_n(users.data(), users.size(), model->user_parameters().data());
    std::copy_n(items.data(), items.size(), model->item_parameters().data());
    model->parameters_written();
    model->forward({}, {});
  }

  // The loss, then the gradients by all parameters.
  template <class Gradients>
  std::vector<double> results(Gradients& gradients) {
    ParameterGradients user_result;
    ParameterGradients item_result;
    model->backward(gradients.users(), gradients.items(), user_result, item_result);
    std::vector<double> all = {gradients.loss()};
    const auto append = [&](const ParameterGradients& result, uint32_t rows) {
      for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t k = 0; k < kSharedDim; ++k) {
          const auto at = std::find(result.rows.begin(), result.rows.end(), row);
          const bool there = result.all || at != result.rows.end();
          const size_t j = result.all ? row : static_cast<size_t>(at - result.rows.begin());
          all.push_back(there ? double{result.values->row(j)[k]} : 0);
        }
    };
    append(user_result, 4);
    append(item_result, kSharedItems);
    model->forward({}, {});
    return all;
  }
};

std::vector<uint32_t> counting(const SharedNegatives& shared, const EmbeddingView& scored,
                               uint32_t user) {
  const auto owned = shared_train().view().row(user);
  std::vector<uint32_t> columns;
  for (uint32_t j = 0; j < shared.items.size(); ++j)
    if (!std::binary_search(owned.begin(), owned.end(), shared.items[j])) columns.push_back(j);
  const auto score = [&](uint32_t j) {
    double sum = 0;
    for (uint32_t k = 0; k < kSharedDim; ++k)
      sum += double{scored.users.row(user)[k]} * double{scored.items.row(shared.items[j])[k]};
    return sum;
  };
  if (shared.hardest > 0 && shared.hardest < columns.size()) {
    std::stable_sort(columns.begin(), columns.end(),
                     [&](uint32_t a, uint32_t b) { return score(a) > score(b); });
    columns.resize(shared.hardest);
    std::sort(columns.begin(), columns.end());
  }
  return columns;
}

class EverySharedLoss : public ::testing::TestWithParam<LossCase> {};

TEST_P(EverySharedLoss, AgreesWithNegativesListedRowByRow) {
  const LossCase& c = GetParam();
  for (const char* name : {"mf", "lightgcn"})
    for (const bool weighted : {false, true})
      for (const size_t hardest : {size_t{0}, size_t{2}}) {
        if (weighted && !c.takes_importance) continue;
        SCOPED_TRACE(::testing::Message() << name << ", weighted " << weighted << ", " << hardest);
        Fixture fixture(name);
        const testing::UnitVectors unit(fixture.model->view());
        const EmbeddingView scored = c.cosine ? unit.view() : fixture.model->view();
        Negatives shared;
        shared.reset(0, 1, 1);
        shared.shared.items = kShared;
        shared.shared.hardest = hardest;
        if (weighted) shared.shared.log_weights = {0.5F, -0.25F, 0, 1, -1, 0.125F, 0};
        shared.row_weights = {1, 0.5F, 2, 1, 1.5F, 0.25F};
        Negatives listed;
        for (size_t b = 0; b < kSharedUsers.size(); ++b) {
          const auto columns = counting(shared.shared, scored, kSharedUsers[b]);
          if (b == 0) listed.reset(kSharedUsers.size(), columns.size(), 1);
          listed.row_weights = shared.row_weights;
          float sum = 0;
          for (size_t k = 0; k < columns.size(); ++k) {
            listed.terms[b * columns.size() + k].item = kShared[columns[k]];
            if (weighted)
              listed.importance.push_back(std::exp(shared.shared.log_weights[columns[k]]));
            if (weighted) sum += listed.importance.back();
          }
          for (size_t k = 0; weighted && k < columns.size(); ++k)
            listed.importance[b * columns.size() + k] /= sum;
        }
        const auto loss = c.make();
        loss->start({.train = shared_train().view(),
                     .negatives = 5,
                     .batch_size = 6,
                     .cosine = c.cosine,
                     .weighted_negatives = weighted,
                     .shared_negatives = true});
        ObjectiveOptions objective{.l2 = 0.1, .l2_negative = 0.0};
        if (c.cosine) objective.similarity = ScoreSimilarity::kCosine;
        Grouping users(4);
        Grouping items(kSharedItems);
        users.group(kSharedUsers);
        std::vector<uint32_t> keys = kSharedPositives;
        keys.insert(keys.end(), kShared.begin(), kShared.end());
        items.group(keys);
        SharedGradients fast(objective, *loss, shared_train().view(), kSharedDim,
                             fixture.model->hops(), fixture.executor);
        BatchGradients slow(objective, *loss, 4, kSharedItems, kSharedDim, fixture.model->hops(),
                            fixture.executor);
        fast.compute(fixture.batch, shared, fixture.model->view(), scored, users, items);
        EXPECT_NEAR(
            fast.hardness(),
            [&] {
              slow.score(fixture.batch, listed, fixture.model->view(), scored);
              return slow.scored().totals().hardness;
            }(),
            1e-5);
        slow.accumulate(fixture.batch, listed, fixture.model->view(), {});
        const std::vector<double> found = fixture.results(fast);
        const std::vector<double> expected = fixture.results(slow);
        ASSERT_EQ(found.size(), expected.size());
        for (size_t i = 0; i < found.size(); ++i)
          EXPECT_NEAR(found[i], expected[i], 1e-5 * (1 + std::abs(expected[i]))) << i;
      }
}

INSTANTIATE_TEST_SUITE_P(Cases, EverySharedLoss, ::testing::ValuesIn(testing::loss_cases()),
                         [](const auto& each) { return each.param.label; });

// Two rows and three shared negatives, computed elsewhere in float64; with the correction the
// logarithms of the chances .5, .3 and .2 are subtracted from the logits there. Here weights are
// relative to their mean, which changes the loss by a constant.
struct SharedExample {
  std::vector<float> chances;
  double loss;
  std::array<double, 6> users;
  std::array<double, 6> positives;
  std::array<double, 9> negatives;
};
const SharedExample kSharedExamples[] = {
    {{},
     1.001642446,
     {-0.8357161, -3.4022606, -0.5967415, 3.3292827, -3.0559776, -2.9876513},
     {-0.2173502, 2.0430921, -0.4781705, -1.8913360, -2.2696032, 3.4044049},
     {1.3339473, 1.2949506, 1.1389639, 0.0518657, -0.0042916, 0.0194344, -0.6001745, 2.0387742,
      0.5754399}},
    {{0.5F, 0.3F, 0.2F},
     2.162653585,
     {-0.8225769, -3.3361899, -0.5789727, 3.3308883, -3.0607835, -2.9932573},
     {-0.2173502, 2.0430921, -0.4781705, -1.8913360, -2.2696032, 3.4044049},
     {1.3051686, 1.2673121, 1.1158864, 0.0834515, -0.0191373, 0.0373858, -0.5612232, 2.0325481,
      0.5885299}}};

TEST(SharedGradients, TheWorkedExamples) {
  constexpr std::array<float, 6> kUsers = {0.6F, -0.2F, 0.3F, 0.1F, 0.5F, -0.4F};
  // Two positives, then three negatives.
  constexpr std::array<float, 15> kItems = {0.5F, 0.1F,  0.2F, -0.3F, 0.4F, 0.1F, 0.4F, -0.5F,
                                            0.1F, -0.2F, 0.3F, 0.6F,  0.2F, 0.2F, -0.5F};
  const OwnedInteractions train({{0}, {1}}, 5);
  const Executor executor(2);
  const auto model = find_model("mf").make();
  model->start({train.view(), executor, 3});
  for (uint32_t k = 0; k < 3; ++k) {
    for (uint32_t u = 0; u < 2; ++u) model->user_parameters().row(u)[k] = kUsers[u * 3 + k];
    for (uint32_t i = 0; i < 5; ++i) model->item_parameters().row(i)[k] = kItems[i * 3 + k];
  }
  const auto loss = find_loss("softmax").make();
  Options options;
  loss->declare(options);
  options.set("softmax.temperature", "0.2", OptionSource::kSet);
  loss->start({.train = train.view(), .cosine = true, .shared_negatives = true});
  const std::vector<uint32_t> ids = {0, 1};
  ObjectiveOptions objective{.l2 = 0};
  objective.similarity = ScoreSimilarity::kCosine;
  const testing::UnitVectors unit(model->view());
  for (const SharedExample& example : kSharedExamples) {
    Negatives negatives;
    negatives.reset(0, 1, 1);
    negatives.shared.items = {2, 3, 4};
    double constant = 0;
    for (const float chance : example.chances) {
      negatives.shared.log_weights.push_back(-std::log(chance));
      constant += 1 / double{chance};
    }
    if (constant > 0) constant = std::log(3 / constant);
    Grouping users(2);
    users.group(ids);
    Grouping items(5);
    items.group(std::vector<uint32_t>{0, 1, 2, 3, 4});
    SharedGradients gradients(objective, *loss, train.view(), 3, 1, executor);
    gradients.compute({.users = ids, .positives = ids}, negatives, model->view(), unit.view(),
                      users, items);
    EXPECT_NEAR(gradients.loss(), example.loss + constant, 3e-6);
    for (uint32_t slot = 0; slot < 5; ++slot)
      for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t item = gradients.items().rows[slot];
        EXPECT_NEAR(
            gradients.items().pooled.row(slot)[k],
            item < 2 ? example.positives[item * 3 + k] : example.negatives[(item - 2) * 3 + k],
            1e-5);
        if (slot >= 2) continue;
        EXPECT_NEAR(gradients.users().pooled.row(slot)[k],
                    example.users[gradients.users().rows[slot] * 3 + k], 1e-5);
      }
  }
}

TEST(SharedGradients, ThePenaltyCountsASharedNegativeOnce) {
  Fixture fixture("mf");
  const auto loss = find_loss("bpr").make();
  Negatives negatives;
  negatives.reset(0, 1, 1);
  negatives.shared.items = kShared;
  Grouping users(4);
  Grouping items(kSharedItems);
  users.group(kSharedUsers);
  std::vector<uint32_t> keys = kSharedPositives;
  keys.insert(keys.end(), kShared.begin(), kShared.end());
  items.group(keys);
  const auto loss_with = [&](double l2_negative) {
    const ObjectiveOptions objective{.l2 = 0, .l2_negative = l2_negative};
    SharedGradients gradients(objective, *loss, shared_train().view(), kSharedDim, 1,
                              fixture.executor);
    gradients.compute(fixture.batch, negatives, fixture.model->view(), fixture.model->view(), users,
                      items);
    return gradients.loss();
  };
  double squares = 0;
  for (const uint32_t item : kShared)
    for (uint32_t k = 0; k < kSharedDim; ++k)
      squares += std::pow(double{fixture.model->view().items.row(item)[k]}, 2);
  EXPECT_NEAR(loss_with(0.3) - loss_with(0), 0.3 * squares / (2 * 6), 1e-6);
}

// A user who owns all shared negatives has no loss and no gradient.
TEST(SharedGradients, RowsWithoutNegativesThatCountHaveNoLoss) {
  Fixture fixture("mf");
  const auto loss = find_loss("bpr").make();
  Negatives negatives;
  negatives.reset(0, 1, 1);
  negatives.shared.items = {0, 1};
  const std::vector<uint32_t> user = {0};
  const std::vector<uint32_t> positive = {7};
  Grouping users(4);
  Grouping items(kSharedItems);
  users.group(user);
  items.group(std::vector<uint32_t>{7, 0, 1});
  SharedGradients gradients({.l2 = 0}, *loss, shared_train().view(), kSharedDim, 1,
                            fixture.executor);
  gradients.compute({.users = user, .positives = positive}, negatives, fixture.model->view(),
                    fixture.model->view(), users, items);
  EXPECT_EQ(gradients.loss(), 0);
  for (uint32_t slot = 0; slot < 3; ++slot)
    for (uint32_t k = 0; k < kSharedDim; ++k) EXPECT_EQ(gradients.items().pooled.row(slot)[k], 0);
}

}  // namespace
}  // namespace divns
