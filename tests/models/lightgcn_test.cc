// SPDX-License-Identifier: Apache-2.0
#include "models/lightgcn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "base/slots.h"
#include "divns/options.h"
#include "models/registry.h"
#include "support/adjacency.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/tables.h"
#include "train/optimizer.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;
using testing::random_table;

std::unique_ptr<Model> started(const Interactions& train, const Executor& executor, uint32_t dim,
                               int layers, bool skip_layer0 = false,
                               const char* precision = "float32", bool single_hops = true) {
  auto model = make_lightgcn();
  Options options;
  model->declare(options);
  options.set("layers", std::to_string(layers), OptionSource::kSet);
  options.set("skip_layer0", skip_layer0 ? "true" : "false", OptionSource::kSet);
  options.set("lightgcn.precision", precision, OptionSource::kSet);
  model->start({train, executor, dim, single_hops});
  return model;
}

void expect_row(const VectorTable& table, uint32_t row, double x, double y) {
  EXPECT_NEAR(table.row(row)[0], x, 1e-6) << row;
  EXPECT_NEAR(table.row(row)[1], y, 1e-6) << row;
}

// Two users, three items, a path i0 - u0 - i1 - u1 - i2.
class PathGraph : public ::testing::Test {
 protected:
  std::unique_ptr<Model> model(bool skip_layer0) {
    auto made = started(data_.view(), executor_, 2, 2, skip_layer0);
    const float users[2][2] = {{1, 0}, {0, 1}};
    const float items[3][2] = {{1, 1}, {2, 0}, {0, -1}};
    for (uint32_t u = 0; u < 2; ++u) std::copy_n(users[u], 2, made->user_parameters().row(u));
    for (uint32_t i = 0; i < 3; ++i) std::copy_n(items[i], 2, made->item_parameters().row(i));
    made->forward({}, {});
    return made;
  }
  const Executor executor_{1};
  const OwnedInteractions data_{{{0, 1}, {1, 2}}, 3};
};

TEST_F(PathGraph, HopsAndPools) {
  const auto with = model(false);
  const EmbeddingView view = with->view();
  expect_row(view.user_hops[1], 0, 1.7071068, .7071068);
  expect_row(view.user_hops[1], 1, 1, -.7071068);
  expect_row(view.item_hops[1], 0, .7071068, 0);
  expect_row(view.item_hops[1], 1, .5, .5);
  expect_row(view.item_hops[1], 2, 0, .7071068);
  expect_row(view.user_hops[2], 0, .75, .25);
  expect_row(view.item_hops[2], 1, 1.3535534, 0);
  expect_row(view.users, 0, 1.1523689, .3190356);
  expect_row(view.users, 1, .4166667, .3476311);
  expect_row(view.items, 0, .9714045, .5);
  expect_row(view.items, 1, 1.2845178, .1666667);
  expect_row(view.items, 2, .2357023, -.2642977);
  const auto without = model(true);
  expect_row(without->view().users, 0, 1.2285534, .4785534);
  expect_row(without->view().items, 1, .9267767, .25);
}

TEST_F(PathGraph, GradientOfATriple) {
  const auto made = model(false);
  const EmbeddingView view = made->view();
  // Loss of (u0, i0, i2): slope sigmoid(s(u0, i2) - s(u0, i0)).
  const double x = .1872956 - 1.2789342;
  const auto slope = static_cast<float>(1 / (1 + std::exp(-x)));
  EXPECT_NEAR(std::log1p(std::exp(x)), .2894301, 1e-6);
  const std::vector<uint32_t> user_rows = {0};
  const std::vector<uint32_t> user_slots = {0, kNoSlot};
  const std::vector<uint32_t> item_rows = {0, 2};
  const std::vector<uint32_t> item_slots = {0, kNoSlot, 1};
  RowGradients users{user_rows, user_slots, Table(1, 2), Table(1, 2), {}};
  RowGradients items{item_rows, item_slots, Table(2, 2), Table(2, 2), {}};
  for (uint32_t k = 0; k < 2; ++k) {
    users.pooled.row(0)[k] = slope * (view.items.row(2)[k] - view.items.row(0)[k]);
    items.pooled.row(0)[k] = -slope * view.users.row(0)[k];
    items.pooled.row(1)[k] = slope * view.users.row(0)[k];
  }
  ParameterGradients user_result;
  ParameterGradients item_result;
  made->backward(users, items, user_result, item_result);
  ASSERT_TRUE(user_result.all && item_result.all);
  expect_row(user_result.values->view(), 0, -.1761118, -.1309419);
  expect_row(user_result.values->view(), 1, .0528523, .0028916);
  expect_row(item_result.values->view(), 0, -.1883796, -.0853610);
  expect_row(item_result.values->view(), 1, -.0308149, -.0320126);
  expect_row(item_result.values->view(), 2, .1448008, .0400884);
}

TEST(LightGcn, ChosenRowsHaveTheBitsOfAFullPass) {
  const OwnedInteractions data = random_interactions(400, 300, 20, 5);
  const Executor executor(2);
  const auto model = started(data.view(), executor, 64, 3);
  const Table users = random_table(400, 64, 1);
  const Table items = random_table(300, 64, 2);
  std::copy_n(users.data(), users.size(), model->user_parameters().data());
  std::copy_n(items.data(), items.size(), model->item_parameters().data());
  model->parameters_written();
  model->forward({}, {});
  const auto copy = [](const VectorTable& t) {
    return std::vector<float>(t.data, t.data + size_t{t.rows} * t.stride);
  };
  const auto all_users = copy(model->view().users);
  const auto all_items = copy(model->view().items);
  const std::vector<uint32_t> some_users = {5, 0, 399, 17};
  const std::vector<uint32_t> some_items = {299, 3};
  // Other parameters and back, so that nothing is right by accident.
  model->user_parameters().row(5)[3] += 1;
  model->forward({}, {});
  model->user_parameters().row(5)[3] = users.row(5)[3];
  model->forward({false, some_users}, {false, some_items});
  for (const uint32_t u : some_users)
    for (uint32_t k = 0; k < 64; ++k)
      EXPECT_EQ(model->view().users.row(u)[k], all_users[u * 64 + k]);
  for (const uint32_t i : some_items)
    for (uint32_t k = 0; k < 64; ++k)
      EXPECT_EQ(model->view().items.row(i)[k], all_items[i * 64 + k]);
}

// Largest difference beside the largest value.
double relative_gap(const VectorTable& a, const VectorTable& b) {
  double gap = 0;
  double top = 0;
  for (size_t x = 0; x < size_t{a.rows} * a.stride; ++x) {
    gap = std::max(gap, std::abs(double{a.data[x]} - double{b.data[x]}));
    top = std::max(top, std::abs(double{a.data[x]}));
  }
  return gap / top;
}

// A bfloat16 has eight bits: a factor of 1 +- 2^-9 for every value read, by layer.
TEST(LightGcn, Bfloat16StaysNearFloat32AndHasTheSameBitsForAnyThreads) {
  const OwnedInteractions data = random_interactions(400, 300, 20, 5);
  const std::vector<uint32_t> rows = {5, 0, 299, 17};
  std::vector<uint32_t> slots(400, kNoSlot);
  for (uint32_t j = 0; j < rows.size(); ++j) slots[rows[j]] = j;
  struct Pass {
    explicit Pass(int threads) : executor(threads) {}
    Executor executor;
    std::unique_ptr<Model> model;
    ParameterGradients users;
    ParameterGradients items;
  };
  const auto pass = [&](int threads, const char* precision) {
    auto done = std::make_unique<Pass>(threads);
    done->model = started(data.view(), done->executor, 40, 3, false, precision);
    const Table users = random_table(400, 40, 1);
    const Table items = random_table(300, 40, 2);
    std::copy_n(users.data(), users.size(), done->model->user_parameters().data());
    std::copy_n(items.data(), items.size(), done->model->item_parameters().data());
    done->model->parameters_written();
    done->model->forward({}, {});
    const RowGradients gradients{rows, slots, random_table(4, 40, 3), random_table(4, 40, 4), {}};
    done->model->backward(gradients, gradients, done->users, done->items);
    return done;
  };
  const auto exact = pass(1, "float32");
  const auto half = pass(1, "bfloat16");
  const auto half_of_seven = pass(7, "bfloat16");
  const auto compare = [&](const VectorTable& full, const VectorTable& one,
                           const VectorTable& seven) {
    EXPECT_GT(relative_gap(full, one), 0);
    EXPECT_LT(relative_gap(full, one), 0.005);
    EXPECT_EQ(relative_gap(one, seven), 0);
  };
  compare(exact->model->view().users, half->model->view().users,
          half_of_seven->model->view().users);
  compare(exact->model->view().items, half->model->view().items,
          half_of_seven->model->view().items);
  compare(exact->users.values->view(), half->users.values->view(),
          half_of_seven->users.values->view());
  compare(exact->items.values->view(), half->items.values->view(),
          half_of_seven->items.values->view());
}

// The step writes the bfloat16 copies of the parameters that it moves: rounding all parameters
// again changes nothing.
TEST(LightGcn, TheStepKeepsCopiesOfTheParametersCurrent) {
  const OwnedInteractions data = random_interactions(400, 300, 20, 5);
  const Executor executor(2);
  const auto model = started(data.view(), executor, 40, 3, false, "bfloat16", false);
  const Table users = random_table(400, 40, 1);
  const Table items = random_table(300, 40, 2);
  std::copy_n(users.data(), users.size(), model->user_parameters().data());
  std::copy_n(items.data(), items.size(), model->item_parameters().data());
  model->parameters_written();
  model->forward({}, {});
  const auto pooled = [&] {
    const VectorTable t = model->view().users;
    return std::vector<float>(t.data, t.data + size_t{t.rows} * t.stride);
  };
  const auto before = pooled();

  const std::vector<uint32_t> rows = {5, 0, 299, 17};
  std::vector<uint32_t> slots(400, kNoSlot);
  for (uint32_t j = 0; j < rows.size(); ++j) slots[rows[j]] = j;
  const RowGradients gradients{rows, slots, random_table(4, 40, 3), random_table(4, 40, 4), {}};
  ParameterGradients by_users;
  ParameterGradients by_items;
  model->backward(gradients, gradients, by_users, by_items);
  Optimizer optimizer({.kind = OptimizerKind::kSgd, .learning_rate = 1},
                      {&model->user_parameters(), &model->item_parameters()}, executor);
  optimizer.begin_step();
  optimizer.step_all({{0, by_users.values, by_users.copy}, {1, by_items.values, by_items.copy}});
  model->forward({}, {});
  const auto after = pooled();
  EXPECT_NE(after, before);
  model->parameters_written();
  model->forward({}, {});
  EXPECT_EQ(pooled(), after);
}

// Without single hops the vectors and gradients are the same, from fewer tables, whether the batch
// has a small share of the edges or nearly all of them.
TEST(LightGcn, PoolsAndGradientsAreTheSameWithoutSingleHops) {
  const OwnedInteractions data = random_interactions(400, 300, 20, 5);
  const Executor executor(2);
  for (const char* precision : {"float32", "bfloat16"})
    for (const int layers : {1, 2, 3, 4})
      for (const uint32_t batch : {5U, 280U}) {
        std::vector<uint32_t> rows(batch);
        std::iota(rows.begin(), rows.end(), 10U);
        std::vector<uint32_t> slots(400, kNoSlot);
        for (uint32_t j = 0; j < batch; ++j) slots[rows[j]] = j;
        const RowGradients gradients{
            rows, slots, random_table(batch, 40, 3), random_table(batch, 40, 4), {}};
        std::vector<std::vector<float>> results[2];
        for (const bool single_hops : {true, false}) {
          const auto model =
              started(data.view(), executor, 40, layers, false, precision, single_hops);
          const Table users = random_table(400, 40, 1);
          const Table items = random_table(300, 40, 2);
          std::copy_n(users.data(), users.size(), model->user_parameters().data());
          std::copy_n(items.data(), items.size(), model->item_parameters().data());
          model->parameters_written();
          model->forward({}, {});
          EXPECT_EQ(model->view().user_hops.size(),
                    single_hops ? static_cast<size_t>(layers) + 1 : 1);
          const auto keep = [&](const VectorTable& t) {
            results[single_hops ? 1 : 0].emplace_back(t.data, t.data + size_t{t.rows} * t.stride);
          };
          keep(model->view().users);
          keep(model->view().items);
          ParameterGradients user_result;
          ParameterGradients item_result;
          model->backward(gradients, gradients, user_result, item_result);
          keep(user_result.values->view());
          keep(item_result.values->view());
        }
        EXPECT_EQ(results[0], results[1]) << precision << " " << layers << " " << batch;
      }
}

struct SinFigures {
  const char* split;
  double sum;
  double squares;
  double last_layer;
};

// E0[x][k] = sin(0.37 (x + 1) (k + 1)) on public splits; sums that other code gives.
class PublicSplit : public ::testing::TestWithParam<SinFigures> {};

TEST_P(PublicSplit, SumsOfPropagatedSines) {
  const char* folder = std::getenv("DIVNS_DATA_DIR");
  if (folder == nullptr) GTEST_SKIP() << "DIVNS_DATA_DIR is not set";
  const std::string path = std::string(folder) + "/" + GetParam().split;
  auto rows = testing::read_adjacency(path + "/train.txt");
  const auto test_rows = testing::read_adjacency(path + "/test.txt");
  if (rows.empty()) GTEST_SKIP() << path << " is not there";
  rows.resize(std::max(rows.size(), test_rows.size()));
  uint32_t items = 0;
  for (const auto& part : {rows, test_rows})
    for (const auto& row : part)
      for (const uint32_t i : row) items = std::max(items, i + 1);
  const OwnedInteractions data(rows, items);
  const Executor executor(2);
  const auto model = started(data.view(), executor, 8, 3);
  const auto users = static_cast<uint32_t>(rows.size());
  for (uint32_t x = 0; x < users + items; ++x)
    for (uint32_t k = 0; k < 8; ++k) {
      float* row =
          x < users ? model->user_parameters().row(x) : model->item_parameters().row(x - users);
      row[k] = static_cast<float>(std::sin(0.37 * (x + 1.0) * (k + 1.0)));
    }
  model->forward({}, {});
  double sum = 0;
  double squares = 0;
  double last_layer = 0;
  const EmbeddingView view = model->view();
  const auto add = [&](const VectorTable& pooled, const VectorTable& last) {
    for (uint32_t i = 0; i < pooled.rows; ++i)
      for (uint32_t k = 0; k < 8; ++k) {
        sum += double{pooled.row(i)[k]};
        squares += double{pooled.row(i)[k]} * double{pooled.row(i)[k]};
        last_layer += std::abs(double{last.row(i)[k]});
      }
  };
  add(view.users, view.user_hops[3]);
  add(view.items, view.item_hops[3]);
  // float32 tables: a relative 1e-7 a value, averaging out over the sums.
  EXPECT_NEAR(sum, GetParam().sum, 2e-3);
  EXPECT_NEAR(squares / GetParam().squares, 1, 1e-6);
  EXPECT_NEAR(last_layer / GetParam().last_layer, 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Sines, PublicSplit,
    ::testing::Values(SinFigures{"dens-baby", 85.27215169, 4331.63133318, 6551.22562066},
                      SinFigures{"dens-beauty", -20.51373816, 7950.94011724, 12705.56852406},
                      SinFigures{"ahns-tool", 80.52785225, 9657.73584879, 10620.14406405},
                      SinFigures{"gowalla", 226.34057062, 20239.43078274, 9085.85666448}));

TEST(ModelRegistry, UnknownNamesGetTheNearestKnownOne) {
  EXPECT_EQ(find_model("lightgcn").name, "lightgcn");
  EXPECT_ERROR(find_model("lightgcm"), "lightgcn");
}

}  // namespace
}  // namespace divns
