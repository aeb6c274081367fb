// SPDX-License-Identifier: Apache-2.0
#include "train/spectral_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/symmetric_eigen.h"
#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;

constexpr uint32_t kSpectralUsers = 90;
constexpr uint32_t kSpectralItems = 60;

// The normalised matrix of the training pairs, users x items.
std::vector<double> normalised(const Interactions& train) {
  const auto counts = item_counts(train);
  std::vector<double> matrix(size_t{train.users()} * train.item_count, 0);
  for (uint32_t u = 0; u < train.users(); ++u)
    for (const uint32_t i : train.row(u))
      matrix[size_t{u} * train.item_count + i] =
          1 / std::sqrt(static_cast<double>(train.row(u).size()) * counts[i]);
  return matrix;
}

TEST(SpectralStart, GivesTheLeadingSingularVectors) {
  const OwnedInteractions train =
      testing::random_interactions(kSpectralUsers, kSpectralItems, 9, 4);
  const Interactions view = train.view();
  TrainConfig config;
  config.init_std = 0.2;
  Table users(kSpectralUsers, 8);
  Table items(kSpectralItems, 8);
  spectral_start(view, config, users, items, Executor(2));
  const std::vector<double> r = normalised(view);
  // Column k of the items is nearly (the spectrum of random data is flat) an eigenvector of R^T R,
  // and R times it is along column k of the users.
  std::vector<double> gram(size_t{kSpectralItems} * kSpectralItems, 0);
  for (uint32_t u = 0; u < kSpectralUsers; ++u)
    for (uint32_t i = 0; i < kSpectralItems; ++i)
      for (uint32_t j = 0; j < kSpectralItems; ++j)
        gram[size_t{i} * kSpectralItems + j] +=
            r[size_t{u} * kSpectralItems + i] * r[size_t{u} * kSpectralItems + j];
  const SymmetricEigen exact = symmetric_eigen(gram.data(), kSpectralItems, kSpectralItems);
  const auto cosine = [](auto&& a, auto&& b, uint32_t n) {
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (uint32_t i = 0; i < n; ++i) {
      ab += a(i) * b(i);
      aa += a(i) * a(i);
      bb += b(i) * b(i);
    }
    return ab / std::sqrt(aa * bb);
  };
  for (uint32_t k = 0; k < 5; ++k) {
    const double* vector = &exact.vectors[size_t{kSpectralItems - 1 - k} * kSpectralItems];
    const auto item = [&](uint32_t i) { return double{items.row(i)[k]}; };
    EXPECT_GT(std::abs(cosine(
                  item, [&](uint32_t i) { return vector[i]; }, kSpectralItems)),
              0.95)
        << k;
    const auto image = [&](uint32_t u) {
      double sum = 0;
      for (uint32_t i = 0; i < kSpectralItems; ++i)
        sum += r[size_t{u} * kSpectralItems + i] * item(i);
      return sum;
    };
    // User 0 has no pairs and thus random values.
    EXPECT_GT(cosine([&](uint32_t u) { return u == 0 ? 0 : double{users.row(u)[k]}; },
                     [&](uint32_t u) { return u == 0 ? 0 : image(u); }, kSpectralUsers),
              0.99)
        << k;
  }
  double squares = 0;
  for (size_t i = 0; i < items.size(); ++i) squares += std::pow(double{items.data()[i]}, 2);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(items.size())), 0.2, 0.01);
}

TEST(SpectralStart, GivesTheSameBitsForAnyNumberOfThreads) {
  const OwnedInteractions train =
      testing::random_interactions(kSpectralUsers, kSpectralItems, 9, 4);
  const auto result = [&](int threads) {
    Table users(kSpectralUsers, 8);
    Table items(kSpectralItems, 8);
    spectral_start(train.view(), TrainConfig(), users, items,
                   Executor(threads, threads > 2 ? 5 : 0));
    std::vector<float> all(users.data(), users.data() + users.size());
    all.insert(all.end(), items.data(), items.data() + items.size());
    return all;
  };
  const auto expected = result(1);
  for (const float x : expected) ASSERT_TRUE(std::isfinite(x));
  for (const int threads : {2, 7}) EXPECT_EQ(result(threads), expected);
}

// More columns than the matrix has rank: the others are random, and nothing is infinite.
TEST(SpectralStart, FillsColumnsBeyondTheRank) {
  const OwnedInteractions train({{0, 1}, {0, 1}, {2}, {}}, 4);
  Table users(4, 8);
  Table items(4, 8);
  spectral_start(train.view(), TrainConfig(), users, items, Executor(1));
  for (uint32_t i = 0; i < 4; ++i)
    for (uint32_t k = 0; k < 8; ++k) {
      EXPECT_TRUE(std::isfinite(items.row(i)[k]));
      EXPECT_TRUE(std::isfinite(users.row(i)[k]));
    }
  EXPECT_NE(items.row(3)[0], 0);
  EXPECT_NE(items.row(0)[7], 0);
}

}  // namespace
}  // namespace divns
