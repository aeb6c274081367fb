// SPDX-License-Identifier: Apache-2.0
// The gradient of the whole objective for every registered loss, as DirectBatches computes it. The
// trainer runs one epoch of one batch: its report has the objective, and Adam's first moment is
// (1 - beta1) times the gradient. Finite differences of the former must give the latter.
#include <gtest/gtest.h>

#include <cmath>

#include "divns/registry.h"
#include "divns/tensors.h"
#include "models/registry.h"
#include "samplers/replay.h"
#include "support/interactions.h"
#include "support/tables.h"
#include "support/temp_folder.h"
#include "train/direct_batches.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_table;

constexpr uint32_t kLossUsers = 30;
constexpr uint32_t kLossItems = 20;
constexpr uint32_t kLossDim = 8;

// Chosen parameters and negatives, so that the objective is a function of the parameters alone.
class FixedNegatives final : public Replay {
 public:
  FixedNegatives(Table users, Table items) : users_(std::move(users)), items_(std::move(items)) {}
  void initial_parameters(Table& users, Table& items) const override {
    std::copy_n(users_.data(), users_.size(), users.data());
    std::copy_n(items_.data(), items_.size(), items.data());
  }
  void order(uint32_t /*epoch*/, std::span<uint64_t> pairs) const override {
    for (size_t p = 0; p < pairs.size(); ++p) pairs[p] = p;
  }
  void candidates(const Batch& batch, size_t b, std::span<uint32_t> out) const override {
    for (size_t k = 0; k < out.size(); ++k)
      out[k] = static_cast<uint32_t>(7 * batch.place(b) + 3 * k + 1) % kLossItems;
  }
  void shares(const Batch& /*batch*/, size_t /*b*/, std::span<float> /*out*/) const override {}

 private:
  Table users_;
  Table items_;
};

Table moved(Table table, const Table& direction, float step) {
  for (size_t i = 0; i < table.size(); ++i) table.data()[i] += step * direction.data()[i];
  return table;
}

class EveryLoss : public ::testing::TestWithParam<std::string> {
 protected:
  EveryLoss() {
    std::vector<std::vector<uint32_t>> rows(kLossUsers);
    for (uint32_t u = 0; u < kLossUsers; ++u)
      for (uint32_t j = 0; j < 3; ++j) rows[u].push_back((5 * u) % 7 + 6 * j);
    data_ = OwnedInteractions(rows, kLossItems);
    config_.loss = GetParam();
    config_.embedding_dim = kLossDim;
    config_.batch_size = 1000;
    config_.epochs = 1;
    config_.negatives = 3;
    config_.objective = {.l2 = 0.01, .l2_user = 0.02, .l2_positive = 0.03};
    // This loss is defined on cosines only.
    if (GetParam() == "ccl") config_.objective.similarity = ScoreSimilarity::kCosine;
  }
  Trainer trainer(const FixedNegatives& replay) const {
    return {config_,
            {find_model("mf").make(), find_sampler("rns").make(), nullptr, &replay},
            data_.view(),
            {},
            executor_};
  }
  double objective(const Table& users, const Table& items) const {
    const FixedNegatives replay(users, items);
    return trainer(replay).run_epoch().loss;
  }

  OwnedInteractions data_{{}, 0};
  TrainConfig config_;
  const Executor executor_{2};
};

TEST_P(EveryLoss, HasTheGradientOfFiniteDifferencesOnTheDirectPath) {
  const Table users = random_table(kLossUsers, kLossDim, 1);
  const Table items = random_table(kLossItems, kLossDim, 2);
  const FixedNegatives replay(users, items);
  const testing::TempFolder folder;
  {
    Trainer run = trainer(replay);
    ASSERT_EQ(run.run_epoch().batches, 1U);
    TensorWriter out;
    run.save(out);
    out.write(folder.path() / "state");
  }
  Table by_users(kLossUsers, kLossDim);
  Table by_items(kLossItems, kLossDim);
  const TensorReader state(folder.path() / "state");
  state.read("optimizer.m0", std::span(by_users.data(), by_users.size()));
  state.read("optimizer.m1", std::span(by_items.data(), by_items.size()));

  for (uint32_t n = 0; n < 5; ++n) {
    const Table u = random_table(kLossUsers, kLossDim, 10 + n);
    const Table v = random_table(kLossItems, kLossDim, 20 + n);
    double slope = 0;
    for (size_t i = 0; i < u.size(); ++i) slope += double{u.data()[i]} * double{by_users.data()[i]};
    for (size_t i = 0; i < v.size(); ++i) slope += double{v.data()[i]} * double{by_items.data()[i]};
    slope /= 1 - config_.optimizer.adam.beta1;
    const auto at = [&](float distance) {
      return objective(moved(users, u, distance), moved(items, v, distance));
    };
    // The hinge has kinks: a small step crosses few of them, at the cost of rounding errors.
    const float step = GetParam() == "hinge" ? 0.0005F : 0.01F;
    const double expected =
        (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * double{step});
    EXPECT_NEAR(slope, expected, 1e-3 * (1 + std::abs(expected))) << n;
    EXPECT_GT(std::abs(expected), 1e-3) << "a direction that proves nothing";
  }
}

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for (const LossEntry& entry : losses())
    if (entry.make()->needs_negatives()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLoss, ::testing::ValuesIn(loss_names()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace divns
