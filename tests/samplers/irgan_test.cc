// SPDX-License-Identifier: Apache-2.0
#include "samplers/irgan/irgan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "samplers/irgan/generator.h"
#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::OptionValues;
using testing::toy_train;
using testing::toy_vectors;

const std::vector<uint32_t> kCandidates = {2, 3, 4, 5};

TEST(Generator, GradientByFiniteDifferences) {
  Generator generator(3, 6, 3, .5, 7);
  const Executor executor(2);
  std::vector<std::vector<float>> p(2, std::vector<float>(4));
  const std::vector<Generator::Lesson> lessons = {{0, kCandidates, p[0], 2, .7},
                                                  {1, kCandidates, p[1], 0, -.3}};
  const auto loss = [&] {
    double sum = 0;
    for (size_t n = 0; n < lessons.size(); ++n) {
      generator.probabilities(lessons[n].user, kCandidates, p[n]);
      sum -= lessons[n].advantage * std::log(double{p[n][lessons[n].chosen]});
    }
    return sum / static_cast<double>(lessons.size());
  };
  // The second call must not keep anything of the first.
  for (int call = 0; call < 2; ++call) {
    loss();
    generator.learn(lessons, executor);
  }
  std::vector<SamplerParameters> parameters;
  generator.list_parameters(0, parameters);
  ASSERT_EQ(parameters.size(), 2U);
  for (const SamplerParameters& block : parameters)
    for (size_t i = 0; i < block.values.size(); ++i) {
      const size_t column = i % 8;
      if (column >= 3) continue;  // padding
      const float kept = block.values[i];
      constexpr float kStep = 1e-2F;
      block.values[i] = kept + kStep;
      const double above = loss();
      block.values[i] = kept - kStep;
      const double below = loss();
      block.values[i] = kept;
      EXPECT_NEAR(double{block.gradient[i]}, (above - below) / (2 * double{kStep}), 2e-4)
          << block.name << " " << i;
    }
}

TEST(Irgan, DrawsByTheGenerator) {
  const OptionValues values = {
      {"irgan.candidates", "4"}, {"irgan.replacement", "false"}, {"irgan.temperature", "0.2"}};
  std::vector<double> counts(6, 0);
  for (const Term& term : ask(make_irgan(), values, toy_train(), toy_vectors(), 0, 0, 20000).terms)
    ++counts[term.item];
  Generator same(3, 6, 5, .2, 5);
  std::vector<float> p(4);
  same.probabilities(0, kCandidates, p);
  EXPECT_LT(chi_square(counts, {0, 0, double{p[0]}, double{p[1]}, double{p[2]}, double{p[3]}}),
            16.3);
}

// Item 4 is the one that the recommender ranks above the positive, so it pays most.
TEST(Irgan, GeneratorLearnsWhatTheRecommenderMistakes) {
  const auto sampler = make_irgan();
  testing::set_options(*sampler, {{"irgan.candidates", "4"}, {"irgan.replacement", "false"}});
  const auto train = toy_train();
  const auto vectors = toy_vectors();
  const Executor executor(1);
  sampler->start(
      {.train = train.view(), .executor = executor, .seed = 5, .dim = 2, .batch_size = 64});
  const std::vector<uint32_t> users(64, 0);
  const std::vector<uint32_t> positives(64, 0);
  Negatives negatives;
  const auto hits = [&](uint32_t epoch) {
    const Batch batch{.epoch = epoch, .users = users, .positives = positives};
    RowsToRead rows;
    sampler->propose(batch, rows);
    sampler->choose(batch, vectors.view(), negatives);
    for (const SamplerParameters& block : sampler->parameters())
      for (size_t i = 0; i < block.values.size(); ++i) block.values[i] -= .5F * block.gradient[i];
    return std::count_if(negatives.terms.begin(), negatives.terms.end(),
                         [](const Term& term) { return term.item == 4; });
  };
  const auto before = hits(0);
  for (uint32_t epoch = 1; epoch < 400; ++epoch) hits(epoch);
  EXPECT_LT(before, 40);
  EXPECT_GT(hits(400), 55);
}

TEST(AdvIr, MovesTheVectorAgainstTheUser) {
  const auto vectors = toy_vectors();
  const auto negatives = ask(make_advir(), {{"advir.epsilon", "2"}, {"advir.candidates", "1"}},
                             toy_train(), vectors, 1, 2, 20);
  ASSERT_TRUE(negatives.free_vectors);
  const float* user = vectors.pooled_users.row(1);  // (-.5, 1)
  const double norm = std::sqrt(1.25);
  for (size_t n = 0; n < 20; ++n) {
    bool found = false;
    for (const uint32_t item : {0U, 1U, 3U, 4U, 5U}) {
      double distance = 0;
      for (size_t k = 0; k < 2; ++k)
        distance += std::abs(double{vectors.pooled_items.row(item)[k]} +
                             2 * double{user[k]} / norm - double{negatives.vectors.row(n)[k]});
      found = found || distance < 1e-5;
    }
    EXPECT_TRUE(found) << n;
  }
}

// The displacement is a constant: the gradient of the vector is that of the item.
TEST(AdvIr, GradientGoesToTheItem) {
  const auto sampler = make_advir();
  testing::set_options(*sampler, {{"advir.candidates", "1"}});
  const auto train = toy_train();
  const auto vectors = toy_vectors();
  const Executor executor(1);
  sampler->start(
      {.train = train.view(), .executor = executor, .dim = 2, .negatives = 2, .batch_size = 1});
  const std::vector<uint32_t> users = {1};
  const std::vector<uint32_t> positives = {2};
  const Batch batch{.users = users, .positives = positives};
  RowsToRead rows;
  Negatives negatives;
  sampler->propose(batch, rows);
  sampler->choose(batch, vectors.view(), negatives);
  const Table gradients = testing::table_of({{1, 2}, {3, 4}});
  ExtraGradients extra;
  extra.vectors = Table(0, 2);
  sampler->backward(batch, vectors.view(), gradients, extra);
  ASSERT_EQ(extra.targets.size(), 2U);
  for (size_t n = 0; n < 2; ++n) {
    EXPECT_EQ(extra.targets[n].side, GradientTarget::Side::kItem);
    EXPECT_EQ(extra.targets[n].row, rows.items[n]);
    EXPECT_EQ(extra.targets[n].hop, kEveryHop);
    EXPECT_EQ(extra.vectors.row(n)[1], gradients.row(n)[1]);
  }
}

}  // namespace
}  // namespace divns
