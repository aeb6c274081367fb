// SPDX-License-Identifier: Apache-2.0
#include "samplers/scone/info_nce.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/double_model.h"
#include "support/tables.h"

namespace divns {
namespace {

using testing::Matrix;
using testing::Vector;

TEST(InfoNce, WorkedExample) {
  const Executor executor(1);
  InfoNce nce(2, executor);
  Table a(2, 2);
  Table b(2, 2);
  const float values_a[2][2] = {{1, 0}, {0, 2}};
  const float values_b[2][2] = {{.8F, .6F}, {-.6F, .8F}};
  for (size_t i = 0; i < 2; ++i) {
    std::copy_n(values_a[i], 2, a.row(i));
    std::copy_n(values_b[i], 2, b.row(i));
  }
  Table da(2, 2);
  Table db(2, 2);
  EXPECT_NEAR(nce.loss(a, b, 0, 2, .2, 1, da, db), .1570747, 1e-6);
  // Alone, a row has nothing to be told from: -log(1 + 1e-5).
  EXPECT_NEAR(nce.loss(a, b, 1, 1, .2, 1, da, db), -std::log(1 + 1e-5), 1e-7);
}

TEST(InfoNce, GradientsAgreeWithFiniteDifferencesOverManyGroups) {
  constexpr uint32_t kRows = 150;  // three blocks of rows, hence three groups
  constexpr uint32_t kDim = 5;
  const Executor executor(2);
  InfoNce nce(kDim, executor);
  const Table a = testing::random_table(kRows, kDim, 1);
  const Table b = testing::random_table(kRows, kDim, 2);
  Table da(kRows, kDim);
  Table db(kRows, kDim);
  const double loss = nce.loss(a, b, 0, kRows, .5, 3, da, db);
  Matrix x[2];
  for (uint32_t i = 0; i < kRows; ++i) {
    x[0].emplace_back(a.row(i), a.row(i) + kDim);
    x[1].emplace_back(b.row(i), b.row(i) + kDim);
  }
  const auto cosine = [](const Vector& u, const Vector& v) {
    return testing::dot(u, v) / std::sqrt(testing::dot(u, u) * testing::dot(v, v));
  };
  const auto reference = [&] {
    double sum = 0;
    for (uint32_t i = 0; i < kRows; ++i) {
      double all = 0;
      for (uint32_t j = 0; j < kRows; ++j) all += std::exp(cosine(x[0][i], x[1][j]) / .5);
      sum -= std::log(std::exp(cosine(x[0][i], x[1][i]) / .5) / all + 1e-5);
    }
    return 3 * sum / kRows;
  };
  EXPECT_NEAR(loss, reference(), 1e-5);
  for (const uint32_t i : {0U, 63U, 64U, 149U})
    for (uint32_t k = 0; k < kDim; ++k)
      for (const int side : {0, 1}) {
        double& value = x[side][i][k];
        constexpr double kStep = 1e-4;
        value += kStep;
        const double above = reference();
        value -= 2 * kStep;
        const double below = reference();
        value += kStep;
        EXPECT_NEAR((side == 0 ? da : db).row(i)[k], (above - below) / (2 * kStep), 1e-6)
            << i << " " << k << " " << side;
      }
}

}  // namespace
}  // namespace divns
