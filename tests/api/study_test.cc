// SPDX-License-Identifier: Apache-2.0
// Studies and extensions through the public headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "api/small_dataset.h"
#include "divns/divns.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::small_dataset;

const Settings kShort = {{"epochs", "4"}, {"embedding_dim", "8"}, {"eval_every", "1"}};

std::string fmt_4(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(4) << value;
  return text.str();
}

TEST(StudyApi, ComparesWithMeansAndTests) {
  const testing::TempFolder folder;
  CompareOptions options;
  options.out = folder.file("study");
  options.samplers = "rns,dns";
  options.baselines = {"popularity"};
  options.seeds = 2;
  options.reference = "dns";
  options.settings = kShort;
  size_t done = 0;
  const ComparisonResult result =
      compare(small_dataset(), options, {[&](const StudyProgress& p) { done = p.done; }});
  ASSERT_TRUE(result.finished);
  EXPECT_EQ(done, 5U);  // two samplers with two seeds; a baseline without a seed runs once
  ASSERT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(result.rows[2].group, "baselines");
  const ComparedRow& row = result.rows[0];
  ASSERT_EQ(row.seeds.size(), 2U);
  EXPECT_DOUBLE_EQ(row.mean[0], (row.seeds[0].values[0] + row.seeds[1].values[0]) / 2);
  ASSERT_FALSE(result.tests.empty());
  EXPECT_EQ(result.tests[0].reference, "dns");
  EXPECT_NE(result.json.find("\"divns-study\""), std::string::npos);
  EXPECT_NE(result.table.find("rns"), std::string::npos);
}

TEST(StudyApi, ComparesOnSeveralDatasetsInOneTable) {
  const testing::TempFolder folder;
  std::vector<Dataset> data;
  for (const uint64_t seed : {uint64_t{1}, uint64_t{2}}) {
    SynthOptions synth;
    synth.users = 100;
    synth.items = 80;
    synth.pairs = 1600;
    synth.seed = seed;
    data.push_back(
        Dataset::synthetic(synth, {}, folder.file(seed == 1 ? "one.divns" : "two.divns")));
  }
  CompareOptions options;
  options.out = folder.file("study");
  options.samplers = "rns,dns";
  options.seeds = 1;
  options.resamples = 100;
  options.settings = kShort;
  const DatasetsResult result = compare_datasets(data, options);
  ASSERT_TRUE(result.finished);
  EXPECT_EQ(result.names, (std::vector<std::string>{"one", "two"}));
  for (size_t d = 0; d < 2; ++d) {
    CompareOptions alone = options;
    alone.out = folder.file("alone" + result.names[d]);
    EXPECT_EQ(result.studies[d].rows[1].mean, compare(data[d], alone).rows[1].mean);
    const auto& columns = result.studies[d].columns;
    const auto recall = std::find(columns.begin(), columns.end(), "recall@20") - columns.begin();
    const double mean = result.studies[d].rows[1].mean[static_cast<size_t>(recall)];
    EXPECT_NE(result.table.find(fmt_4(mean)), std::string::npos) << result.table;
  }
  EXPECT_EQ(compare_datasets(data, options).json, result.json);  // continued: nothing to do
  data.pop_back();
  EXPECT_ERROR(compare_datasets(data, options), "holds another study");
  options.out = folder.file("other");
  data.push_back(Dataset::open(folder.file("one.divns")));
  EXPECT_ERROR(compare_datasets(data, options), "two of the datasets are named 'one'");
}

TEST(StudyApi, TunesAndComparesTheWinners) {
  const testing::TempFolder folder;
  TuneOptions options;
  options.out = folder.file("tuning");
  options.samplers = "rns";
  options.trials = 3;
  options.rungs = {2, 4};
  options.settings = {{"embedding_dim", "8"}, {"eval_every", "1"}};
  const TuneResult tuned = tune(small_dataset(), options);
  ASSERT_TRUE(tuned.finished);
  ASSERT_EQ(tuned.rows.size(), 1U);
  EXPECT_EQ(tuned.rows[0].trials, 3U);
  EXPECT_TRUE(tuned.rows[0].valid.has_value());
  CompareOptions compared;
  compared.out = folder.file("study");
  compared.samplers = tuned.winners;
  compared.seeds = 1;
  compared.settings = {{"epochs", "2"}};
  EXPECT_TRUE(compare(small_dataset(), compared).finished);
}

TEST(StudyApi, RefusesWhatIsMissing) {
  EXPECT_ERROR(compare(small_dataset(), {}), "--out");
  ReproduceOptions reproduction;
  reproduction.name = "figure-toy";
  EXPECT_ERROR(reproduce(reproduction), "--out");
}

// A loss of 0, which shows that the registered loss is the one that trains.
class NoLoss final : public Loss {
 public:
  void rows(const LossInput& /*scores*/, const LossOutput& out) const override {
    std::fill(out.losses.begin(), out.losses.end(), 0.0);
    std::fill(out.positive_slopes.begin(), out.positive_slopes.end(), 0.0F);
    std::fill(out.negative_slopes.begin(), out.negative_slopes.end(), 0.0F);
  }
};

TEST(ExtensionApi, ARegisteredLossTrains) {
  register_loss({"api_test_no_loss", "always 0", "", [] { return std::make_unique<NoLoss>(); }});
  TrainOptions options;
  options.epochs = 2;
  options.l2 = 0;
  options.loss = "api_test_no_loss";
  double loss = 1;
  train(small_dataset(), options, {.on_epoch = [&](const EpochReport& report) {
          loss = report.loss;
          return true;
        }});
  EXPECT_EQ(loss, 0);
  EXPECT_ERROR(
      register_loss({"api_test_no_loss", "", "", [] { return std::make_unique<NoLoss>(); }}),
      "already");
  options.loss = "api_test_no_los";
  EXPECT_ERROR(train(small_dataset(), options), "api_test_no_loss");
}

}  // namespace
}  // namespace divns
