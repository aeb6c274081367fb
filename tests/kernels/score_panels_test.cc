// SPDX-License-Identifier: Apache-2.0
#include "kernels/score_panels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "divns/aligned.h"
#include "divns/random.h"

namespace divns {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Rows of random numbers, and the same packed column by column in groups of `group`.
struct Rows {
  Rows(uint32_t rows, uint32_t columns, uint32_t group, uint64_t seed)
      : dim(columns), plain(size_t{rows} * columns) {
    Draws draws = Random(seed, "rows").draws();
    for (float& value : plain) value = static_cast<float>(draws.normal());
    packed.resize((size_t{rows} + group - 1) / group * group * dim, 0.0F);
    for (uint32_t r = 0; r < rows; ++r)
      for (uint32_t k = 0; k < dim; ++k)
        packed[(size_t{r} / group * dim + k) * group + r % group] = plain[size_t{r} * dim + k];
  }
  const float* row(uint32_t r) const { return &plain[size_t{r} * dim]; }

  uint32_t dim;
  std::vector<float> plain;
  AlignedVector<float> packed;
};

std::map<std::pair<uint32_t, uint32_t>, float> scores_above(const Rows& users, uint32_t user_count,
                                                            const Rows& items, uint32_t item_count,
                                                            float threshold) {
  const uint32_t width = panel_width();
  const size_t tiles = (user_count + kTileUsers - 1) / kTileUsers;
  std::vector<float> thresholds(tiles * kTileUsers, kInfinity);
  std::fill_n(thresholds.begin(), user_count, threshold);
  std::vector<ScoredRow> rows(tiles * kTileUsers);
  std::map<std::pair<uint32_t, uint32_t>, float> found;
  for (uint32_t first = 0; first < item_count; first += width) {
    const size_t count =
        score_panel(users.packed.data(), tiles, &items.packed[size_t{first} * items.dim],
                    std::min(width, item_count - first), items.dim, thresholds.data(), rows.data());
    for (size_t r = 0; r < count; ++r)
      for (uint32_t i = 0; i < 32; ++i)
        if (((rows[r].bits >> i) & 1U) != 0) found[{rows[r].user, first + i}] = rows[r].scores[i];
  }
  return found;
}

TEST(ScorePanels, AgreesWithTheReferenceForAllSizes) {
  for (const uint32_t dim : {1U, 2U, 7U, 8U, 64U, 65U}) {
    for (const uint32_t user_count : {1U, 5U, 6U, 7U, 13U}) {
      for (const uint32_t item_count : {1U, 15U, 16U, 33U, 70U}) {
        const Rows users(user_count, dim, kTileUsers, 1);
        const Rows items(item_count, dim, panel_width(), 2);
        const auto found = scores_above(users, user_count, items, item_count, -kInfinity);
        ASSERT_EQ(found.size(), size_t{user_count} * item_count);
        for (const auto& [pair, score] : found) {
          const float expected =
              reference::score(users.row(pair.first), items.row(pair.second), dim);
          EXPECT_NEAR(score, expected, 1e-5 * std::sqrt(dim));
        }
      }
    }
  }
}

TEST(ScorePanels, AScoreDoesNotDependOnItsPlace) {
  const uint32_t dim = 64;
  const Rows users(1, dim, 1, 3);
  const Rows items(1, dim, 1, 4);
  const uint32_t width = panel_width();
  AlignedVector<float> tile(size_t{2} * kTileUsers * dim, 0.5F);
  AlignedVector<float> panel(size_t{width} * dim, -0.25F);
  std::vector<float> thresholds(size_t{2} * kTileUsers, -kInfinity);
  std::vector<ScoredRow> rows(size_t{2} * kTileUsers);
  std::vector<float> seen;
  for (uint32_t u = 0; u < 2 * kTileUsers; ++u) {
    for (uint32_t i = 0; i < width; ++i) {
      AlignedVector<float> t = tile;
      AlignedVector<float> p = panel;
      for (uint32_t k = 0; k < dim; ++k) {
        t[(size_t{u} / kTileUsers * dim + k) * kTileUsers + u % kTileUsers] = users.row(0)[k];
        p[size_t{k} * width + i] = items.row(0)[k];
      }
      ASSERT_EQ(score_panel(t.data(), 2, p.data(), width, dim, thresholds.data(), rows.data()),
                rows.size());
      seen.push_back(rows[u].scores[i]);
    }
  }
  for (const float score : seen) EXPECT_EQ(score, seen.front());
}

TEST(ScorePanels, KeepsOnlyWhatIsAboveTheThreshold) {
  const Rows users(9, 16, kTileUsers, 5);
  const Rows items(50, 16, panel_width(), 6);
  const auto all = scores_above(users, 9, items, 50, -kInfinity);
  const auto some = scores_above(users, 9, items, 50, 1.5F);
  size_t expected = 0;
  for (const auto& [pair, score] : all) {
    EXPECT_EQ(some.count(pair), score > 1.5F ? 1U : 0U);
    if (score > 1.5F) ++expected;
  }
  EXPECT_GT(expected, 0U);
  EXPECT_EQ(some.size(), expected);
}

TEST(ScorePanels, NothingIsAboveNan) {
  Rows users(1, 4, kTileUsers, 7);
  Rows items(3, 4, panel_width(), 8);
  items.packed[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(scores_above(users, 1, items, 3, -kInfinity).size(), 2U);
}

}  // namespace
}  // namespace divns
