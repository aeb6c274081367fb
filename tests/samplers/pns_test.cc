// SPDX-License-Identifier: Apache-2.0
#include "samplers/pns.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::item_counts;
using testing::OwnedInteractions;
using testing::toy_vectors;

constexpr size_t kDraws = 60000;

// Items 0 to 5 with 16, 1, 81, 0, 256 and 1 training pairs; user 0 owns 0 and 1, user 1 only 4.
OwnedInteractions counted_train() {
  const uint32_t counts[] = {16, 1, 81, 0, 256, 1};
  std::vector<std::vector<uint32_t>> rows = {{0, 1}, {4}};
  std::vector<uint32_t> left(counts, counts + 6);
  --left[0], --left[1], --left[4];
  while (std::any_of(left.begin(), left.end(), [](uint32_t n) { return n > 0; })) {
    std::vector<uint32_t> row;
    for (uint32_t i = 0; i < 6; ++i)
      if (left[i] > 0) --left[i], row.push_back(i);
    rows.push_back(row);
  }
  return {rows, 6};
}

TEST(Pns, WorkedExampleOfAUserWhoOwnsTwoItems) {
  const auto negatives = ask(make_pns(), {}, counted_train(), toy_vectors(), 0, 0, kDraws);
  EXPECT_LT(chi_square(item_counts(negatives, 6), {0, 0, .2934783, 0, .6956522, .0108696}), 13.8);
}

TEST(Pns, WorkedExampleWithoutRejection) {
  const auto negatives = ask(make_pns(), {{"pns.reject_positives", "false"}}, counted_train(),
                             toy_vectors(), 0, 0, kDraws);
  EXPECT_LT(
      chi_square(item_counts(negatives, 6), {.0792079, .0099010, .2673267, 0, .6336634, .0099010}),
      18.5);
}

TEST(Pns, OtherLaws) {
  const auto proportional =
      ask(make_pns(), {{"pns.exponent", "1"}}, counted_train(), toy_vectors(), 1, 4, kDraws);
  EXPECT_LT(chi_square(item_counts(proportional, 6), {16 / 99., 1 / 99., 81 / 99., 0, 0, 1 / 99.}),
            16.3);
  const auto by_log = ask(make_pns(), {{"pns.law", "log_popularity"}}, counted_train(),
                          toy_vectors(), 1, 4, kDraws);
  const double logs[] = {std::log(17.), std::log(2.), std::log(82.)};
  const double sum = logs[0] + 2 * logs[1] + logs[2];
  EXPECT_LT(chi_square(item_counts(by_log, 6),
                       {logs[0] / sum, logs[1] / sum, logs[2] / sum, 0, 0, logs[1] / sum}),
            16.3);
}

// The alias table hits what user 0 may have once in thousands of draws, so the items are walked.
TEST(Pns, AUserWhoOwnsNearlyAllTheWeight) {
  std::vector<std::vector<uint32_t>> rows = {{0}, {1, 2}, {1}};
  for (int i = 0; i < 20000; ++i) rows.push_back({0});
  const OwnedInteractions train(rows, 6);
  const auto negatives = ask(make_pns(), {{"pns.exponent", "1"}}, train, toy_vectors(), 0, 0, 3000);
  EXPECT_LT(chi_square(item_counts(negatives, 6), {0, 2 / 3., 1 / 3., 0, 0, 0}), 10.9);
}

TEST(Pns, AUserWhoOwnsAllTheWeightDrawsUniformly) {
  const OwnedInteractions train({{0, 1}, {0}}, 6);
  const auto negatives = ask(make_pns(), {}, train, toy_vectors(), 0, 0, 8000);
  EXPECT_LT(chi_square(item_counts(negatives, 6), {0, 0, .25, .25, .25, .25}), 16.3);
}

}  // namespace
}  // namespace divns
