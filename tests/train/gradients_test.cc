// SPDX-License-Identifier: Apache-2.0
// The loss and its gradients, for both models, against a float64 reference and its finite
// differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "divns/options.h"
#include "models/registry.h"
#include "support/finite_differences.h"
#include "support/interactions.h"
#include "support/losses.h"
#include "support/tables.h"
#include "train/batch_gradients.h"

namespace divns {
namespace {

using testing::OwnedInteractions;

constexpr uint32_t kGradientDim = 5;

struct GradientCase {
  const char* name;
  int layers = 0;
  bool skip_layer0 = false;
  ObjectiveOptions loss;
  size_t per_row = 1;
  size_t terms_each = 1;
  bool by_hop = false;
  bool weighted = false;
  bool row_weights = false;
};

Negatives make_negatives(const GradientCase& c, const Batch& batch, uint32_t items) {
  Negatives negatives;
  negatives.reset(batch.size(), c.per_row, c.terms_each);
  Draws draws = Random(8, "negatives").draws();
  for (size_t i = 0; i < negatives.terms.size(); ++i) {
    Term& term = negatives.terms[i];
    term.item = draws.below(items);
    if (c.terms_each == 1) continue;
    term.weight = i % 7 == 3 ? 0.0F : draws.uniform_float();
    if (c.by_hop) term.hop = static_cast<int32_t>(i % static_cast<size_t>(c.layers + 1));
  }
  if (c.weighted) {
    for (size_t n = 0; n < batch.size() * c.per_row; ++n)
      negatives.importance.push_back(draws.uniform_float());
  }
  if (c.row_weights)
    for (size_t b = 0; b < batch.size(); ++b)
      negatives.row_weights.push_back(0.5F + draws.uniform_float());
  return negatives;
}

class GradientOf : public ::testing::TestWithParam<GradientCase> {};

TEST_P(GradientOf, AgreesWithFiniteDifferences) {
  const GradientCase& c = GetParam();
  // User 3 and item 6 are cold; item 1 is popular; rows share users and items.
  const OwnedInteractions data({{0, 1}, {1, 2, 5}, {1, 3}, {}}, 7);
  const std::vector<uint32_t> users = {0, 1, 1, 2, 0, 1};
  const std::vector<uint32_t> positives = {0, 2, 1, 3, 1, 5};
  const Batch batch{.users = users, .positives = positives};
  const Negatives negatives = make_negatives(c, batch, 7);

  const Executor executor(2);
  const auto model = find_model(c.layers == 0 ? "mf" : "lightgcn").make();
  Options options;
  model->declare(options);
  if (c.layers > 0) {
    options.set("layers", std::to_string(c.layers), OptionSource::kSet);
    options.set("skip_layer0", c.skip_layer0 ? "true" : "false", OptionSource::kSet);
  }
  model->start({data.view(), executor, kGradientDim});
  const Table user_values = testing::random_table(4, kGradientDim, 1);
  const Table item_values = testing::random_table(7, kGradientDim, 2);
  std::copy_n(user_values.data(), user_values.size(), model->user_parameters().data());
  std::copy_n(item_values.data(), item_values.size(), model->item_parameters().data());

  testing::expect_gradients(*model, data.view(), c.skip_layer0, c.loss, batch, negatives, executor);
}

constexpr ObjectiveOptions kPlain = {.l2 = 0.1};
constexpr ObjectiveOptions kParts = {.l2 = 0.1, .regularise_parts = true};
constexpr ObjectiveOptions kUnit = {.l2 = 0.1, .unit_items = true};
constexpr ObjectiveOptions kCosine = {.l2 = 0.1, .similarity = ScoreSimilarity::kCosine};
// A weight per role, each different, and one of them left at l2.
constexpr ObjectiveOptions kRoles = {
    .l2 = 0.05, .l2_user = 0.3, .l2_positive = 0.01, .l2_negative = 0.2};
constexpr ObjectiveOptions kBroadcastPenalty = {.l2 = 0.1, .broadcast_regulariser = true};
constexpr ObjectiveOptions kBroadcastLoss = {.l2 = 0.1, .broadcast_loss = true};
constexpr ObjectiveOptions kBroadcastBoth = {.l2_user = 0.3,
                                             .l2_positive = 0.01,
                                             .l2_negative = 0.2,
                                             .broadcast_regulariser = true,
                                             .broadcast_loss = true};
constexpr ObjectiveOptions kNoUser = {.l2 = 0.2, .l2_user = 0};

INSTANTIATE_TEST_SUITE_P(
    Models, GradientOf,
    ::testing::Values(
        GradientCase{.name = "MfOneItem", .loss = kPlain},
        GradientCase{.name = "MfThreeNegatives", .loss = kPlain, .per_row = 3},
        GradientCase{.name = "MfMixed", .loss = kPlain, .per_row = 2, .terms_each = 2},
        GradientCase{.name = "MfMixedParts", .loss = kParts, .terms_each = 3},
        GradientCase{.name = "MfUnit", .loss = kUnit, .per_row = 2},
        GradientCase{.name = "MfUnitMixed", .loss = kUnit, .terms_each = 2},
        GradientCase{.name = "MfCosine", .loss = kCosine, .per_row = 2},
        GradientCase{.name = "MfCosineMixed", .loss = kCosine, .per_row = 2, .terms_each = 2},
        GradientCase{.name = "GcnCosine", .layers = 2, .loss = kCosine, .per_row = 2},
        GradientCase{.name = "GcnCosineByHop",
                     .layers = 2,
                     .loss = kCosine,
                     .terms_each = 6,
                     .by_hop = true},
        GradientCase{.name = "MfHopZeroTerms", .loss = kPlain, .terms_each = 2, .by_hop = true},
        GradientCase{.name = "MfWeighted",
                     .loss = kPlain,
                     .per_row = 3,
                     .weighted = true,
                     .row_weights = true},
        GradientCase{.name = "MfL2ByRole", .loss = kRoles, .per_row = 3},
        GradientCase{.name = "MfL2ByRoleMixed", .loss = kRoles, .per_row = 2, .terms_each = 2},
        GradientCase{.name = "MfL2WithoutUsers", .loss = kNoUser, .per_row = 2},
        GradientCase{.name = "GcnL2ByRole", .layers = 2, .loss = kRoles, .per_row = 2},
        GradientCase{.name = "GcnL2ByRoleByHop",
                     .layers = 2,
                     .loss = kRoles,
                     .per_row = 2,
                     .terms_each = 6,
                     .by_hop = true},
        GradientCase{.name = "MfBroadcastPenaltyOneItem", .loss = kBroadcastPenalty},
        GradientCase{
            .name = "MfBroadcastPenalty", .loss = kBroadcastPenalty, .per_row = 2, .terms_each = 2},
        GradientCase{.name = "MfBroadcastLossOneItem", .loss = kBroadcastLoss, .per_row = 2},
        GradientCase{.name = "MfBroadcastLoss", .loss = kBroadcastLoss, .terms_each = 2},
        GradientCase{
            .name = "MfBroadcastBoth", .loss = kBroadcastBoth, .per_row = 3, .terms_each = 2},
        GradientCase{
            .name = "GcnBroadcastBoth", .layers = 2, .loss = kBroadcastBoth, .terms_each = 2},
        GradientCase{.name = "GcnOneItem", .layers = 3, .loss = kPlain},
        GradientCase{.name = "GcnSkipLayer0", .layers = 2, .skip_layer0 = true, .loss = kPlain},
        GradientCase{
            .name = "GcnMixed", .layers = 2, .loss = kPlain, .per_row = 2, .terms_each = 2},
        GradientCase{.name = "GcnByHop",
                     .layers = 2,
                     .loss = kPlain,
                     .per_row = 2,
                     .terms_each = 6,
                     .by_hop = true},
        GradientCase{
            .name = "GcnByHopParts", .layers = 1, .loss = kParts, .terms_each = 4, .by_hop = true},
        GradientCase{.name = "GcnUnit", .layers = 3, .loss = kUnit, .per_row = 2},
        GradientCase{
            .name = "GcnUnitByHop", .layers = 2, .loss = kUnit, .terms_each = 6, .by_hop = true}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(BatchGradients, ExtraGradientsGoWhereTheyAreSent) {
  const Executor executor(1);
  const OwnedInteractions data({{0}, {1}}, 3);
  const auto model = find_model("mf").make();
  model->start({data.view(), executor, kGradientDim});
  const std::vector<uint32_t> users = {0};
  const std::vector<uint32_t> positives = {0};
  const Batch batch{.users = users, .positives = positives};
  Negatives negatives;
  negatives.reset(1, 1, 1);
  negatives.terms[0].item = 1;
  ExtraGradients extra;
  extra.vectors = testing::random_table(3, kGradientDim, 4);
  extra.targets = {{GradientTarget::Side::kItem, 2, kEveryHop},
                   {GradientTarget::Side::kUser, 1, 0},
                   {GradientTarget::Side::kItem, 2, kEveryHop}};
  BatchGradients gradients({.l2 = 0}, testing::default_loss(), 2, 3, kGradientDim, 1, executor);
  gradients.score(batch, negatives, model->view());
  gradients.accumulate(batch, negatives, model->view(), extra);
  ASSERT_EQ(gradients.items().rows.size(), 3U);
  ASSERT_EQ(gradients.users().rows.size(), 2U);
  for (uint32_t k = 0; k < kGradientDim; ++k) {
    EXPECT_EQ(gradients.items().pooled.row(2)[k],
              extra.vectors.row(0)[k] + extra.vectors.row(2)[k]);
    EXPECT_EQ(gradients.users().pooled.row(1)[k], extra.vectors.row(1)[k]);
  }
}

TEST(BatchGradients, AKnownGroupingIsUsedWhereItFitsAndChangesNothing) {
  const Executor executor(1);
  const OwnedInteractions data({{0}, {1}, {2}}, 5);
  const auto model = find_model("mf").make();
  model->start({data.view(), executor, kGradientDim});
  for (Table* table : {&model->user_parameters(), &model->item_parameters()}) {
    const Table values = testing::random_table(table->rows(), kGradientDim, table->rows());
    std::copy_n(values.data(), values.size(), table->data());
  }
  const std::vector<uint32_t> users = {2, 0, 2};
  const std::vector<uint32_t> positives = {2, 0, 2};
  const Batch batch{.users = users, .positives = positives};
  Negatives negatives;
  negatives.reset(3, 1, 1);
  for (size_t n = 0; n < 3; ++n) negatives.terms[n].item = n == 1 ? 3 : 4;
  Grouping by_user(3);
  Grouping by_item(5);
  by_user.group(users);
  by_item.group(std::vector<uint32_t>{2, 0, 2, 4, 3, 4});
  Grouping other(5);
  other.group(std::vector<uint32_t>{1, 3});

  const auto gradients_with = [&](const KnownGroupings& known) {
    auto gradients = std::make_unique<BatchGradients>(ObjectiveOptions{}, testing::default_loss(),
                                                      3, 5, kGradientDim, 1, executor);
    gradients->score(batch, negatives, model->view());
    gradients->accumulate(batch, negatives, model->view(), {}, known);
    return gradients;
  };
  const auto own = gradients_with({});
  const auto known = gradients_with({&by_user, &by_item});
  const auto misfit = gradients_with({&other, &other});
  EXPECT_EQ(known->items().rows.data(), by_item.rows().data());
  EXPECT_EQ(known->users().rows.data(), by_user.rows().data());
  EXPECT_NE(misfit->items().rows.data(), other.rows().data());
  for (const auto& found : {std::cref(*known), std::cref(*misfit)}) {
    EXPECT_EQ(found.get().loss(), own->loss());
    ASSERT_TRUE(std::ranges::equal(found.get().items().rows, own->items().rows));
    for (size_t j = 0; j < own->items().rows.size(); ++j)
      for (uint32_t k = 0; k < kGradientDim; ++k)
        EXPECT_EQ(found.get().items().pooled.row(j)[k], own->items().pooled.row(j)[k]);
  }
}

TEST(BatchGradients, FreeVectorsGetTheirGradients) {
  const Executor executor(1);
  const OwnedInteractions data({{0}}, 2);
  const auto model = find_model("mf").make();
  model->start({data.view(), executor, 2});
  model->user_parameters().row(0)[0] = 2;
  const std::vector<uint32_t> users = {0};
  const std::vector<uint32_t> positives = {0};
  const Batch batch{.users = users, .positives = positives};
  Negatives negatives;
  negatives.reset(1, 1, 0);
  negatives.free_vectors = true;
  negatives.vectors = Table(1, 2);
  negatives.vectors.row(0)[0] = 0.5F;
  BatchGradients gradients({.l2 = 0}, testing::default_loss(), 1, 2, 2, 1, executor);
  gradients.score(batch, negatives, model->view());
  // x = 2 * 0.5 - 0; dL/dneg = sigmoid(1) e_u.
  const Table& out = gradients.free_vector_gradients(batch, negatives);
  EXPECT_NEAR(out.row(0)[0], 2 / (1 + std::exp(-1.0)), 1e-6);
  gradients.accumulate(batch, negatives, model->view(), {});
  EXPECT_NEAR(gradients.loss(), std::log1p(std::exp(1.0)), 1e-6);
  EXPECT_NEAR(gradients.users().pooled.row(0)[0], 0.5 / (1 + std::exp(-1.0)), 1e-6);
}

}  // namespace
}  // namespace divns
