// SPDX-License-Identifier: Apache-2.0
#include "models/ease.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "divns/options.h"
#include "support/errors.h"
#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;

// The inverse of a small matrix, by Gauss and Jordan with pivots.
std::vector<std::vector<double>> inverse(std::vector<std::vector<double>> a) {
  const size_t n = a.size();
  std::vector<std::vector<double>> b(n, std::vector<double>(n));
  for (size_t i = 0; i < n; ++i) b[i][i] = 1;
  for (size_t c = 0; c < n; ++c) {
    size_t pivot = c;
    for (size_t r = c; r < n; ++r)
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    std::swap(a[c], a[pivot]);
    std::swap(b[c], b[pivot]);
    for (size_t r = 0; r < n; ++r) {
      const double factor = (r == c ? a[c][c] - 1 : a[r][c]) / a[c][c];
      for (size_t k = 0; k < n; ++k) {
        a[r][k] -= factor * a[c][k];
        b[r][k] -= factor * b[c][k];
      }
    }
  }
  return b;
}

std::vector<std::vector<double>> gram(const Interactions& train) {
  std::vector<std::vector<double>> g(train.item_count, std::vector<double>(train.item_count));
  for (uint32_t u = 0; u < train.users(); ++u)
    for (const uint32_t i : train.row(u))
      for (const uint32_t j : train.row(u)) ++g[i][j];
  return g;
}

// B itself, read as the scores of users who have one item each.
std::vector<std::vector<double>> weights(const Interactions& train, const std::string& l2) {
  // The model scores the users it was fitted to; so each item gets a user of its own, whose single
  // item adds 1 to the diagonal of X^T X, and l2 is that much smaller.
  std::vector<std::vector<uint32_t>> rows;
  for (uint32_t u = 0; u < train.users(); ++u)
    rows.emplace_back(train.row(u).begin(), train.row(u).end());
  for (uint32_t i = 0; i < train.item_count; ++i) rows.push_back({i});
  const OwnedInteractions extended(rows, train.item_count);
  const auto model = make_ease();
  Options options;
  model->declare(options);
  options.set("ease.l2", l2, OptionSource::kSet);
  const Executor executor(2);
  model->fit({extended.view(), executor});
  std::vector<uint32_t> users(train.item_count);
  std::iota(users.begin(), users.end(), train.users());
  Table scores(train.item_count, train.item_count);
  model->scorer().source->score(users, scores);
  std::vector<std::vector<double>> b;
  for (uint32_t i = 0; i < train.item_count; ++i)
    b.emplace_back(scores.row(i), scores.row(i) + train.item_count);
  return b;
}

TEST(Ease, IsTheClosedFormWithAnExplicitInverse) {
  const OwnedInteractions pairs = random_interactions(60, 23, 5, 1);
  const Interactions train = pairs.view();
  auto a = gram(train);
  for (size_t i = 0; i < a.size(); ++i) a[i][i] += 10;
  const auto p = inverse(a);
  const auto b = weights(train, "9");
  for (size_t i = 0; i < p.size(); ++i)
    for (size_t j = 0; j < p.size(); ++j)
      EXPECT_NEAR(b[i][j], i == j ? 0 : -p[i][j] / p[j][j], 1e-5) << i << " " << j;
}

// |X - X B|^2 + l2 |B|^2 has no slope off the diagonal: X^T X (B - I) + l2 B = 0 there. With more
// items than fit one tile.
TEST(Ease, HasNoSlopeOffTheDiagonal) {
  const OwnedInteractions pairs = random_interactions(400, 300, 9, 2);
  const Interactions train = pairs.view();
  const auto b = weights(train, "4");
  auto g = gram(train);
  const size_t n = g.size();
  for (size_t i = 0; i < n; ++i) {
    ASSERT_EQ(b[i][i], 0);
    g[i][i] += 1;  // the users of one item
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      double slope = 4 * b[i][j] - g[i][j];
      for (size_t k = 0; k < n; ++k) slope += g[i][k] * b[k][j];
      ASSERT_NEAR(slope, 0, 1e-4) << i << " " << j;
    }
}

TEST(Ease, SaysWhatMemoryItWouldNeed) {
  const OwnedInteractions pairs({{0}}, 100000);
  const auto model = make_ease();
  const Executor executor(1);
  EXPECT_ERROR(model->fit({pairs.view(), executor}), "100000 items would take 37.3 GiB");
}

}  // namespace
}  // namespace divns
