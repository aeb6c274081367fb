// SPDX-License-Identifier: Apache-2.0
// The options broadcast_loss and broadcast_regulariser. That small batches agree with all B x B
// negatives formed one by one, and with finite differences, is tested in gradients_test.cc.
#include "train/broadcast.h"

#include <gtest/gtest.h>

#include <vector>

#include "divns/options.h"
#include "models/registry.h"
#include "support/double_model.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/losses.h"
#include "support/tables.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;
using testing::random_table;

constexpr ObjectiveOptions kBoth = {
    .l2 = 0.1, .broadcast_regulariser = true, .broadcast_loss = true};

// A batch of more rows than one tile of the scores holds, some of them without a second part.
struct LargeBatch {
  static constexpr uint32_t kRows = 130;
  static constexpr uint32_t kItems = 40;
  std::vector<uint32_t> users;
  std::vector<uint32_t> positives;
  Batch batch;
  Negatives negatives;

  LargeBatch() {
    Draws draws = Random(3, "large batch").draws();
    negatives.reset(kRows, 2, 2);
    for (uint32_t b = 0; b < kRows; ++b) {
      users.push_back(draws.below(9));
      positives.push_back(draws.below(kItems));
    }
    for (size_t i = 0; i < negatives.terms.size(); ++i)
      negatives.terms[i] = {draws.below(kItems), kEveryHop,
                            i % 2 == 0 ? 0.8F : (i % 7 == 0 ? 0.0F : 0.2F)};
    batch = {.users = users, .positives = positives};
  }
};

TEST(Broadcast, ManyRowsAgreeWithAllPairsOfRowsAndAnyThreads) {
  const LargeBatch large;
  const OwnedInteractions data(std::vector<std::vector<uint32_t>>(9, {0}), LargeBatch::kItems);
  std::vector<float> first;
  for (const int threads : {1, 3}) {
    const Executor executor(threads);
    const auto model = find_model("mf").make();
    model->start({data.view(), executor, 11});
    const Table users = random_table(9, 11, 1);
    const Table items = random_table(LargeBatch::kItems, 11, 2);
    std::copy_n(users.data(), users.size(), model->user_parameters().data());
    std::copy_n(items.data(), items.size(), model->item_parameters().data());
    model->forward({}, {});
    BatchGradients gradients(kBoth, testing::default_loss(), 9, LargeBatch::kItems, 11, 1,
                             executor);
    gradients.score(large.batch, large.negatives, model->view());
    gradients.accumulate(large.batch, large.negatives, model->view(), {});

    testing::DoubleModel reference(data.view(), 0, false);
    for (const Table* table : {&users, &items})
      for (uint32_t i = 0; i < table->rows(); ++i)
        reference.parameters.emplace_back(table->row(i), table->row(i) + table->dim());
    EXPECT_NEAR(gradients.loss(),
                testing::reference_loss(reference, kBoth, large.batch, large.negatives), 1e-4);

    std::vector<float> all = {static_cast<float>(gradients.loss())};
    for (const RowGradients* side : {&gradients.users(), &gradients.items()})
      for (size_t r = 0; r < side->rows.size(); ++r)
        all.insert(all.end(), side->pooled.row(r), side->pooled.row(r) + side->pooled.dim());
    if (first.empty()) first = all;
    EXPECT_EQ(all, first);
  }
}

TEST(Broadcast, LeavesABatchAloneThatSaysSo) {
  LargeBatch large;
  large.negatives.broadcasts = false;
  const OwnedInteractions data(std::vector<std::vector<uint32_t>>(9, {0}), LargeBatch::kItems);
  const Executor executor(1);
  const auto model = find_model("mf").make();
  model->start({data.view(), executor, 11});
  const auto loss = [&](const ObjectiveOptions& objective) {
    BatchGradients gradients(objective, testing::default_loss(), 9, LargeBatch::kItems, 11, 1,
                             executor);
    gradients.score(large.batch, large.negatives, model->view());
    gradients.accumulate(large.batch, large.negatives, model->view(), {});
    return gradients.loss();
  };
  EXPECT_EQ(loss(kBoth), loss({.l2 = 0.1}));
}

TEST(Broadcast, RefusesNegativesOfSingleHopsAndOfManyItems) {
  Negatives negatives;
  negatives.reset(2, 1, 2);
  EXPECT_NO_THROW(require_two_parts(negatives));
  negatives.terms[3].hop = 1;
  EXPECT_ERROR(require_two_parts(negatives), "one or two whole items");
  negatives.reset(2, 1, 3);
  EXPECT_ERROR(require_two_parts(negatives), "one or two whole items");
}

std::string config_of(const std::vector<std::string>& assignments) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  for (const std::string& each : assignments) options.set_assignment(each, OptionSource::kSet);
  setup.resolve(options);
  return TrainingSetup::config_text(options, setup.config());
}

TEST(Broadcast, VariantReleasedSetsItForDivnsOnly) {
  const std::string divns = config_of({"sampler=divns", "divns.variant=released"});
  for (const char* line : {"broadcast_loss = true", "broadcast_regulariser = true",
                           "patience_epochs = 100", "divns.opposite_to = \"positions\""})
    EXPECT_NE(divns.find(line), std::string::npos) << line;
  const std::string one_off =
      config_of({"sampler=divns", "divns.variant=released", "broadcast_loss=false"});
  EXPECT_EQ(one_off.find("broadcast_loss"), std::string::npos);
  EXPECT_NE(one_off.find("broadcast_regulariser = true"), std::string::npos);
  EXPECT_EQ(config_of({"sampler=dns", "divns.variant=released"}), config_of({"sampler=dns"}));
}

// A preset that names no option would be ignored until its algorithm is used.
TEST(Broadcast, EveryPresetNamesAnOption) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  for (const Option& option : options.all())
    for (const Option::Preset& preset : option.presets())
      EXPECT_NE(options.find(preset.other), nullptr) << preset.other;
}

TEST(Broadcast, RefusesWhatItIsNotDefinedFor) {
  for (const char* other : {"similarity=cosine", "unit_items=true", "regularise_parts=true"})
    EXPECT_ERROR(config_of({"sampler=dns", "broadcast_loss=true", other}), "turn one of the two");
  EXPECT_ERROR(config_of({"sampler=mixgcf", "model=lightgcn", "broadcast_regulariser=true"}),
               "turn one of the two");
}

// Plain DNS with the option is plain DNS with B times the weight on its negatives, as long as every
// batch has B rows.
TEST(Broadcast, RegulariserOfOneItemIsAWeight) {
  const OwnedInteractions data = random_interactions(40, 30, 5, 1);
  const auto trained = [&](const std::vector<std::string>& assignments) {
    TrainingSetup setup;
    Options options;
    setup.declare(options);
    for (const char* each : {"sampler=dns", "batch_size=16", "drop_last=true", "embedding_dim=8"})
      options.set_assignment(each, OptionSource::kSet);
    for (const std::string& each : assignments) options.set_assignment(each, OptionSource::kSet);
    setup.resolve(options);
    const Executor executor(1);
    Trainer trainer(setup.config(), setup.take_parts(), data.view(), {}, executor);
    for (int epoch = 0; epoch < 2; ++epoch) trainer.run_epoch();
    const VectorTable items = trainer.finish().items;
    return std::vector<float>(items.data, items.data + size_t{items.rows} * items.stride);
  };
  const auto weighted = trained({"l2=0.015625", "l2_negative=0.25"});
  const auto broadcast = trained({"l2=0.015625", "broadcast_regulariser=true"});
  ASSERT_EQ(weighted.size(), broadcast.size());
  for (size_t i = 0; i < weighted.size(); ++i) EXPECT_NEAR(weighted[i], broadcast[i], 1e-5);
}

}  // namespace
}  // namespace divns
