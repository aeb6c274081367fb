// SPDX-License-Identifier: Apache-2.0
#include "samplers/srns.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"
#include "support/toy.h"

namespace divns {
namespace {

using testing::ask;
using testing::chi_square;
using testing::OptionValues;
using testing::toy_train;
using testing::toy_vectors;
using testing::ToyVectors;

TEST(Srns, DeviationOverEpochs) {
  const float candidate[] = {0, std::log(3.0F)};  // probabilities .5 and .75
  const float positive[] = {0, 0};
  EXPECT_NEAR(srns_deviation(candidate, positive), .125, 1e-7);
  EXPECT_EQ(srns_deviation({}, {}), 0);
}

// The memory holds all four items of user 0 that are not training items.
TEST(Srns, TakesTheBestOfTheMemory) {
  const OptionValues values = {{"srns.memory", "4"}, {"srns.fresh", "0"}};
  const auto two = ask(make_srns(), values, toy_train(), toy_vectors(), 0, 0, 1, 2);
  EXPECT_EQ(two.terms[0].item, 4U);
  EXPECT_EQ(two.terms[1].item, 3U);
  EXPECT_ERROR(ask(make_srns(), values, toy_train(), toy_vectors(), 0, 0, 1, 5),
               "srns.memory is 4, but a row has 5 negatives");
}

class OneRow {
 public:
  explicit OneRow(const OptionValues& values) : sampler_(make_srns()), executor_(1) {
    testing::set_options(*sampler_, values);
    sampler_->start(
        {.train = train_.view(), .executor = executor_, .seed = 5, .dim = 2, .batch_size = 1});
  }
  void begin_epoch(uint32_t epoch, const ToyVectors& vectors) {
    sampler_->begin_epoch(epoch, vectors.view());
  }
  // The negative of user 0 and item 0 at a place of the epoch.
  uint32_t at(uint32_t place, const ToyVectors& vectors) {
    const std::vector<uint32_t> user = {0};
    const std::vector<uint32_t> positive = {0};
    const Batch batch{.first_place = place, .users = user, .positives = positive};
    RowsToRead rows;
    sampler_->propose(batch, rows);
    sampler_->choose(batch, vectors.view(), negatives_);
    return negatives_.terms[0].item;
  }

 private:
  testing::OwnedInteractions train_ = toy_train();
  std::unique_ptr<Sampler> sampler_;
  Executor executor_;
  Negatives negatives_;
};

// The score of item 5 differs between two epochs, those of the others do not.
TEST(Srns, PrefersItemsWhoseScoreVaries) {
  const ToyVectors first = toy_vectors();
  ToyVectors second = toy_vectors();
  for (float* x : {second.pooled_items.row(5), second.pooled_items.row(5) + 1}) *x = .9F;
  for (const auto& [history, expected] : {std::pair("2", 5U), std::pair("0", 4U)}) {
    OneRow row({{"srns.memory", "4"},
                {"srns.fresh", "0"},
                {"srns.alpha", "100"},
                {"srns.warmup", "1"},
                {"srns.history", history}});
    row.begin_epoch(0, second);
    EXPECT_EQ(row.at(0, first), 4U) << "the weight of the deviation is 0 in epoch 0";
    row.begin_epoch(1, first);
    EXPECT_EQ(row.at(0, first), expected);
  }
}

// With a memory of one item and one fresh item per update, the memory is a Markov chain that moves
// from j to k with probability proportional to exp s_k / (exp s_j + exp s_k). Its stationary
// distribution is the softmax of the scores.
TEST(Srns, MemoryFollowsTheSoftmax) {
  const ToyVectors vectors = toy_vectors();
  OneRow row({{"srns.memory", "1"}, {"srns.fresh", "1"}});
  row.begin_epoch(0, vectors);
  std::vector<double> counts(6, 0);
  for (uint32_t place = 0; place < 60000; ++place)
    if (const uint32_t item = row.at(place, vectors); place % 15 == 0) ++counts[item];
  EXPECT_LT(chi_square(counts, {0, 0, .1535979, .2073350, .5361086, .1029585}), 16.3);
}

}  // namespace
}  // namespace divns
