// SPDX-License-Identifier: Apache-2.0
// The training objective of every loss by every parameter of both models, against a float64
// reference and its finite differences.
#include <gtest/gtest.h>

#include <algorithm>

#include "divns/options.h"
#include "models/registry.h"
#include "support/finite_differences.h"
#include "support/interactions.h"
#include "support/tables.h"

namespace divns {
namespace {

using testing::LossCase;
using testing::OwnedInteractions;
using testing::ReferenceScores;

constexpr uint32_t kObjectiveDim = 5;

class EveryObjective : public ::testing::TestWithParam<LossCase> {};

TEST_P(EveryObjective, AgreesWithFiniteDifferences) {
  const LossCase& c = GetParam();
  // Rows share users and items; a negative is a mixture of two items, one of them of weight 1.
  const OwnedInteractions data({{0, 1}, {1, 2, 5}, {1, 3}, {}}, 7);
  const std::vector<uint32_t> users = {0, 1, 1, 2, 0, 1};
  const std::vector<uint32_t> positives = {0, 2, 1, 3, 1, 5};
  const Batch batch{.users = users, .positives = positives};
  const Executor executor(2);
  for (const char* name : {"mf", "lightgcn"})
    for (const size_t terms_each : {size_t{1}, size_t{2}}) {
      SCOPED_TRACE(::testing::Message() << name << ", " << terms_each << " terms");
      Negatives negatives;
      negatives.reset(batch.size(), 3, terms_each);
      Draws draws = Random(8, "negatives").draws();
      for (Term& term : negatives.terms) {
        term.item = draws.below(7);
        if (terms_each > 1) term.weight = draws.uniform_float();
      }
      for (size_t b = 0; b < batch.size(); ++b)
        negatives.row_weights.push_back(0.5F + draws.uniform_float());
      const auto model = find_model(name).make();
      Options options;
      model->declare(options);
      model->start({data.view(), executor, kObjectiveDim});
      const Table user_values = testing::random_table(4, kObjectiveDim, 1);
      const Table item_values = testing::random_table(7, kObjectiveDim, 2);
      std::copy_n(user_values.data(), user_values.size(), model->user_parameters().data());
      std::copy_n(item_values.data(), item_values.size(), model->item_parameters().data());
      const auto loss = c.make();
      loss->start({.train = data.view(), .negatives = 3, .batch_size = 6, .cosine = c.cosine});
      ObjectiveOptions objective{.l2 = 0.1};
      if (c.cosine) objective.similarity = ScoreSimilarity::kCosine;
      testing::expect_gradients(
          *model, data.view(), false, objective, batch, negatives, executor, *loss,
          [&](const ReferenceScores& scores) { return c.reference(scores, data.view()); }, 4e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryObjective, ::testing::ValuesIn(testing::loss_cases()),
                         [](const auto& each) { return each.param.label; });

}  // namespace
}  // namespace divns
