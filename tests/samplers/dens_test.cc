// SPDX-License-Identifier: Apache-2.0
#include "samplers/dens/dens.h"

#include <gtest/gtest.h>

#include <cmath>

#include "samplers/dens/contrastive_loss.h"
#include "samplers/dens/gates.h"
#include "support/batch_run.h"
#include "support/trained.h"
#include "support/worked_example.h"

namespace divns {
namespace {

using testing::BatchRun;
using testing::DoubleModel;
using testing::Matrix;
using testing::OwnedInteractions;
using testing::Vector;

void fill(LinearLayer& layer, const Matrix& weight, const Vector& bias) {
  for (uint32_t i = 0; i < weight.size(); ++i) {
    for (uint32_t k = 0; k < weight.size(); ++k)
      layer.weight.row(i)[k] = static_cast<float>(weight[i][k]);
    layer.bias.row(0)[i] = static_cast<float>(bias[i]);
  }
}

// The worked example: user (1, .5), positive 0, candidates 2 to 5, one hop.
class DensExample : public ::testing::Test {
 protected:
  DensExample() : users(1, 2), items(6, 2), executor(1), gates(2, 1, 1, 1, executor) {
    for (uint32_t i = 0; i < 6; ++i) std::copy_n(testing::kExampleItems[i], 2, items.row(i));
    users.row(0)[0] = 1;
    users.row(0)[1] = .5F;
    fill(gates.item_layer(), {{.5, -.2}, {.1, .3}}, {.1, -.1});
    fill(gates.user_layer(), {{.2, .4}, {-.3, .6}}, {0, .05});
    fill(gates.negative_layer(), {{.7, .1}, {-.4, .2}}, {-.2, .1});
    fill(gates.positive_layer(), {{.3, -.5}, {.2, .2}}, {.05, 0});
    user_view = users.view();
    item_view = items.view();
    view = {user_view, item_view, {&user_view, 1}, {&item_view, 1}, {&pool, 1}};
    gates.begin_batch(batch, view);
    gates.prepare_candidates(candidates);
  }
  Table users;
  Table items;
  Executor executor;
  DensGates gates;
  const std::vector<uint32_t> batch_users = {0};
  const std::vector<uint32_t> batch_positives = {0};
  const Batch batch{.users = batch_users, .positives = batch_positives};
  const std::vector<uint32_t> candidates = {2, 3, 4, 5};
  VectorTable user_view;
  VectorTable item_view;
  float pool = 1;
  EmbeddingView view;
};

TEST_F(DensExample, GatesAreThoseOfTheSpecification) {
  EXPECT_NEAR(gates.positive_gates().row(0)[0], .7170753, 1e-6);
  EXPECT_NEAR(gates.positive_gates().row(0)[1], .5174929, 1e-6);
  EXPECT_NEAR(gates.positive_relevant().row(0)[0], .6453678, 1e-6);
  EXPECT_NEAR(gates.positive_relevant().row(0)[1], .0517493, 1e-6);
  const double expected[4][2] = {
      {.4176898, .6500874}, {.5443173, .5048557}, {.6937555, .4205352}, {.4471323, .5347995}};
  for (size_t c = 0; c < 4; ++c) {
    gates.take(0, 0, c);
    EXPECT_NEAR(gates.chosen_gates().row(0)[0], expected[c][0], 1e-6);
    EXPECT_NEAR(gates.chosen_gates().row(0)[1], expected[c][1], 1e-6);
  }
}

TEST_F(DensExample, SelectionScoresMoveFromTheRestToTheRelevant) {
  struct Row {
    float b;
    double scores[4];
  };
  const Row rows[] = {{0, {-.2269167, .0129187, .2516005, -.3199138}},
                      {.3F, {-.1519167, -.0020813, -.0483995, -.1249138}},
                      {.6F, {-.0769167, -.0170813, -.3483995, .0700862}},
                      {1, {.0230833, -.0370813, -.7483995, .3300862}}};
  for (const Row& row : rows)
    for (size_t c = 0; c < 4; ++c)
      EXPECT_NEAR(gates.selection_score(0, 0, c, 1 - row.b), row.scores[c], 1e-6)
          << row.b << " " << c;
}

TEST_F(DensExample, ContrastiveLossOfNegativeThree) {
  ContrastiveLoss out;
  contrastive_loss({.6712424, .2787576, {.0370813}, {.0129187}}, out);
  const double terms[] = {.5160380, .7053014, .4255162, .8348745};
  for (size_t t = 0; t < 4; ++t) EXPECT_NEAR(out.terms[t], terms[t], 1e-6);

  gates.take(0, 0, 1);
  ExtraGradients extra;
  extra.vectors = Table(0, 2);
  EXPECT_NEAR(gates.loss(.3, extra), .1861298, 1e-6);
  const double ranking = std::log1p(std::exp(.05 - .95));
  EXPECT_NEAR(ranking + .1861298, .5272836, 1e-6);
}

TEST(ContrastiveLoss, SlopesAgreeWithFiniteDifferences) {
  ContrastiveScores scores{.4, -.7, {1.3, -.2, 40}, {.6, .1, -3}};
  ContrastiveLoss at;
  ContrastiveLoss moved;
  contrastive_loss(scores, at);
  const auto slope = [&](double& x) {
    constexpr double kStep = 1e-6;
    x += kStep;
    contrastive_loss(scores, moved);
    const double above = moved.mean();
    x -= 2 * kStep;
    contrastive_loss(scores, moved);
    x += kStep;
    return (above - moved.mean()) / (2 * kStep);
  };
  EXPECT_NEAR(at.slopes.positive_relevant, slope(scores.positive_relevant), 1e-7);
  EXPECT_NEAR(at.slopes.positive_rest, slope(scores.positive_rest), 1e-7);
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(at.slopes.negative_relevant[k], slope(scores.negative_relevant[k]), 1e-7);
    EXPECT_NEAR(at.slopes.negative_rest[k], slope(scores.negative_rest[k]), 1e-7);
  }
}

// Layers in float64, and the loss and choice as the specification writes them.
struct DoubleLayer {
  Matrix weight;
  Vector bias;

  explicit DoubleLayer(const SamplerParameters& w, const SamplerParameters& b, uint32_t dim)
      : bias(b.values.begin(), b.values.begin() + dim) {
    for (uint32_t i = 0; i < dim; ++i) {
      const auto row = w.values.begin() + i * padded(dim);
      weight.emplace_back(row, row + dim);
    }
  }
  Vector operator()(const Vector& x) const {
    Vector y = bias;
    for (size_t i = 0; i < y.size(); ++i) y[i] += testing::dot(weight[i], x);
    return y;
  }
};

struct DoubleDens {
  std::vector<DoubleLayer> layers;  // item, user, positive, negative

  explicit DoubleDens(Sampler& sampler, uint32_t dim) {
    const auto blocks = sampler.parameters();
    for (size_t i = 0; i < blocks.size(); i += 2)
      layers.emplace_back(blocks[i], blocks[i + 1], dim);
  }
  static Vector gated(const Vector& a, const Vector& b, const Vector& x) {
    Vector out(x.size());
    for (size_t k = 0; k < x.size(); ++k) out[k] = x[k] / (1 + std::exp(-a[k] - b[k]));
    return out;
  }
  Vector positive(const Vector& user, const Vector& item) const {
    return gated(layers[0](item), layers[1](user), item);
  }
  Vector negative(const Vector& positive_relevant, const Vector& item) const {
    return gated(layers[3](item), layers[2](positive_relevant), item);
  }

  double loss(const DoubleModel& model, const Batch& batch, const Negatives& negatives) const {
    const auto all = model.hops();
    double sum = 0;
    for (size_t b = 0; b < batch.size(); ++b) {
      const Vector user = model.pooled(all, batch.users[b]);
      ContrastiveScores s{0, 0, Vector(negatives.per_row, 0), Vector(negatives.per_row, 0)};
      for (int l = 0; l <= model.layers; ++l) {
        const Matrix& hop = all[static_cast<size_t>(l)];
        const double share = model.pool_weight(l);
        const Vector& e = hop[model.users + batch.positives[b]];
        const Vector relevant = positive(hop[batch.users[b]], e);
        s.positive_relevant += share * testing::dot(user, relevant);
        s.positive_rest += share * (testing::dot(user, e) - testing::dot(user, relevant));
        for (size_t k = 0; k < negatives.per_row; ++k) {
          const size_t term =
              (b * negatives.per_row + k) * negatives.terms_each + static_cast<size_t>(l);
          const Vector& j = hop[model.users + negatives.terms[term].item];
          const double r = testing::dot(user, negative(relevant, j));
          s.negative_relevant[k] += share * r;
          s.negative_rest[k] += share * (testing::dot(user, j) - r);
        }
      }
      ContrastiveLoss out;
      contrastive_loss(s, out);
      sum += out.mean();
    }
    return sum / static_cast<double>(batch.size());
  }
};

struct DensCase {
  const char* name;
  int layers;
  int negatives;
  const char* candidates;
};

class DensGradients : public ::testing::TestWithParam<DensCase> {};

TEST_P(DensGradients, AgreeWithFiniteDifferences) {
  constexpr uint32_t kDim = 5;
  constexpr double kGamma = 0.7;
  const DensCase& c = GetParam();
  BatchRun run(OwnedInteractions({{0, 1}, {1, 2, 5}, {1, 3}, {}}, 9), "dens", c.layers, kDim,
               c.negatives, {{"dens.gamma", "0.7"}, {"dens.candidates", c.candidates}}, 40);
  const double loss = run.run();
  DoubleModel model = run.double_model();
  DoubleDens dens(*run.sampler, kDim);
  const auto whole = [&] {
    return testing::reference_loss(model, run.loss, run.batch, run.negatives) +
           kGamma * dens.loss(model, run.batch, run.negatives);
  };
  EXPECT_NEAR(loss, whole(), 2e-6);
  const auto slope = [&](double& x) {
    constexpr double kStep = 1e-5;
    const double kept = x;
    x = kept + kStep;
    const double above = whole();
    x = kept - kStep;
    const double below = whole();
    x = kept;
    return (above - below) / (2 * kStep);
  };
  for (size_t node = 0; node < model.parameters.size(); ++node)
    for (uint32_t k = 0; k < kDim; ++k)
      EXPECT_NEAR(run.gradient(node, k), slope(model.parameters[node][k]), 2e-6)
          << node << " " << k;
  const auto blocks = run.sampler->parameters();
  for (size_t layer = 0; layer < 4; ++layer)
    for (uint32_t i = 0; i < kDim; ++i) {
      EXPECT_NEAR(blocks[2 * layer + 1].gradient[i], slope(dens.layers[layer].bias[i]), 2e-6);
      for (uint32_t k = 0; k < kDim; ++k)
        EXPECT_NEAR(blocks[2 * layer].gradient[i * padded(kDim) + k],
                    slope(dens.layers[layer].weight[i][k]), 2e-6)
            << layer << " " << i << " " << k;
    }
}

// 2 candidates are prepared one by one, 20 through the table of all items.
INSTANTIATE_TEST_SUITE_P(Models, DensGradients,
                         ::testing::Values(DensCase{"Mf", 0, 1, "20"},
                                           DensCase{"MfThree", 0, 3, "2"},
                                           DensCase{"Gcn", 2, 1, "1"},
                                           DensCase{"GcnTwo", 2, 2, "20"}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Dens, EveryHopTakesItsOwnBestCandidate) {
  constexpr uint32_t kDim = 4;
  // With one user who owns one item, candidates are the other seven, each drawn for certain.
  for (const uint32_t epoch : {0U, 30U, 100U, 900U}) {
    BatchRun run(OwnedInteractions({{2}, {1, 5}}, 8), "dens", 2, kDim, 1,
                 {{"dens.candidates", "200"}}, epoch);
    run.run();
    const DoubleModel model = run.double_model();
    const DoubleDens dens(*run.sampler, kDim);
    const auto all = model.hops();
    const double b = std::min(1.0, epoch / 100.0);
    for (int l = 0; l < 3; ++l) {
      const Matrix& hop = all[static_cast<size_t>(l)];
      const Vector relevant = dens.positive(hop[0], hop[2 + 2]);
      const auto score = [&](uint32_t j) {
        return (1 - b) * testing::dot(hop[0], hop[2 + j]) -
               testing::dot(hop[0], dens.negative(relevant, hop[2 + j]));
      };
      double top = -1e9;
      for (const uint32_t j : {0U, 1U, 3U, 4U, 5U, 6U, 7U}) top = std::max(top, score(j));
      // Cold items tie beyond hop 0, hence the score and not the item.
      EXPECT_NEAR(score(run.negatives.terms[static_cast<size_t>(l)].item), top, 1e-6)
          << epoch << " " << l;
      EXPECT_EQ(run.negatives.terms[static_cast<size_t>(l)].hop, l);
    }
  }
}

TEST(Dens, PreparingAllItemsOrOnlyCandidatesGivesTheSameBits) {
  const auto data = testing::random_interactions(30, 60, 2, 4);
  const auto gradients_with = [&](uint32_t items) {
    OwnedInteractions padded_data = data;
    padded_data.item_count = items;  // cold items: more of them than candidates, or fewer
    BatchRun run(padded_data, "dens", 0, 12, 1, {{"dens.candidates", "3"}});
    const Executor executor(1);
    DensGates gates(12, 1, 1, 5, executor);
    run.model->forward({}, {});
    gates.begin_batch(run.batch, run.model->view());
    std::vector<uint32_t> candidates;
    for (uint32_t c = 0; c < 200; ++c) candidates.push_back(c * 7 % 60);
    gates.prepare_candidates(candidates);
    std::vector<float> scores;
    for (size_t c = 0; c < candidates.size(); ++c)
      scores.push_back(gates.selection_score(0, c % run.batch.size(), c, .5F));
    return scores;
  };
  EXPECT_EQ(gradients_with(60), gradients_with(400));
}

TEST(Dens, ConstantAlphaReplacesTheWarmUp) {
  const auto chosen = [](const testing::Settings& settings, uint32_t epoch) {
    BatchRun run(testing::random_interactions(20, 40, 4, 3), "dens", 1, 8, 1, settings, epoch);
    run.run();
    std::vector<uint32_t> items;
    for (const Term& term : run.negatives.terms) items.push_back(term.item);
    return items;
  };
  EXPECT_EQ(chosen({{"dens.alpha", "0.3"}}, 30), chosen({}, 30));
  EXPECT_NE(chosen({{"dens.alpha", "0"}}, 77), chosen({}, 77));
  EXPECT_EQ(chosen({{"dens.alpha", "1"}}, 77), chosen({{"dens.warmup", "0"}}, 77));
}

TEST(Dens, SameBitsForAnyThreadsAndAcrossSaveAndLoad) {
  for (const char* model : {"mf", "lightgcn"})
    testing::expect_same_bits("dens", model, {{"dens.warmup", "3"}});
}

}  // namespace
}  // namespace divns
