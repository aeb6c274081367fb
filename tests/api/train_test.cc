// SPDX-License-Identifier: Apache-2.0
// Training, evaluation and recommendation through the public headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "api/small_dataset.h"
#include "divns/divns.h"
#include "support/errors.h"
#include "support/model_bytes.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::small_dataset;

TrainOptions small_options() {
  TrainOptions options{.sampler = "dns", .seed = 7};
  options.epochs = 12;
  options.embedding_dim = 16;
  options.batch_size = 256;
  options.learning_rate = 0.02;
  options.set("eval_every", "2");
  return options;
}

TEST(TrainApi, GivesTheSameModelWithAndWithoutAFolder) {
  const testing::TempFolder folder;
  TrainOptions options = small_options();
  const divns::Run in_memory = train(small_dataset(), options);
  options.folder = folder.path() / "run";
  options.threads = 1;
  const divns::Run on_disk = train(small_dataset(), options);
  EXPECT_EQ(testing::model_bytes(in_memory.model()), testing::model_bytes(on_disk.model()));
  EXPECT_TRUE(in_memory.folder().empty());
  EXPECT_EQ(testing::model_bytes(TrainedModel::load(options.folder)),
            testing::model_bytes(on_disk.model()));
  EXPECT_EQ(testing::model_bytes(TrainedModel::from_bytes(on_disk.model().bytes())),
            testing::model_bytes(on_disk.model()));
}

TEST(TrainApi, FieldsAndSettingsAreTheSameOptions) {
  TrainOptions by_field = small_options();
  by_field.l2 = 0.01;
  TrainOptions by_name = small_options();
  by_name.set("l2", "0.01");
  EXPECT_EQ(testing::model_bytes(train(small_dataset(), by_field).model()),
            testing::model_bytes(train(small_dataset(), by_name).model()));
  by_name.set("lamda", "1");
  EXPECT_ERROR(train(small_dataset(), by_name), "divns.lambda");
}

TEST(TrainApi, ReportsEpochsAndEndsWhenToldTo) {
  TrainOptions options = small_options();
  options.valid_metric = "ndcg@5";
  std::vector<uint32_t> epochs;
  size_t validated = 0;
  TrainCallbacks callbacks;
  callbacks.on_epoch = [&](const EpochReport& report) {
    epochs.push_back(report.epoch);
    EXPECT_EQ(report.metric_name, "ndcg@5");
    validated += report.metric.has_value() ? 1U : 0U;
    return report.epoch < 4;
  };
  const divns::Run run = train(small_dataset(), options, callbacks);
  EXPECT_EQ(epochs, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(validated, 2U);  // after epochs 2 and 4
  EXPECT_TRUE(run.result().finished);
  EXPECT_EQ(run.result().metric_name, "ndcg@5");
  EXPECT_EQ(run.model().users(), small_dataset().users());
}

TEST(TrainApi, AStoppedRunHasNoModelAndResumesToTheSameBytes) {
  const testing::TempFolder folder;
  const std::string whole = testing::model_bytes(train(small_dataset(), small_options()).model());
  std::atomic<bool> stop = false;
  std::vector<std::filesystem::path> checkpoints;
  TrainOptions options = small_options();
  options.folder = folder.path() / "run";
  TrainCallbacks callbacks;
  callbacks.stop = &stop;
  callbacks.on_epoch = [&](const EpochReport& report) {
    if (report.epoch == 5) stop = true;
    return true;
  };
  callbacks.on_checkpoint = [&](const std::filesystem::path& file, uint32_t done) {
    checkpoints.push_back(file);
    EXPECT_EQ(done, 6U);
  };
  const divns::Run stopped = train(small_dataset(), options, callbacks);
  EXPECT_FALSE(stopped.result().finished);
  EXPECT_EQ(checkpoints.size(), 1U);
  EXPECT_ERROR(stopped.model(), "stopped after 6 epochs");
  options.resume = true;
  EXPECT_EQ(testing::model_bytes(train(small_dataset(), options).model()), whole);
}

TEST(TrainApi, EvaluatesAndRecommendsByOriginalIds) {
  const Dataset& data = small_dataset();
  const divns::Run run = train(data, small_options());
  const Evaluation test = evaluate(run.model(), data, {.topk = {5, 20}});
  EXPECT_GT(test.mean("recall@20"), test.mean("recall@5"));
  EXPECT_ERROR(test.mean("recall@7"), "was not measured");
  const auto hits = recommend(run.model(), "3", {.k = 10, .seen = data.train()});
  ASSERT_EQ(hits.size(), 10U);
  const auto seen = data.train().row(*data.find_user("3"));
  for (const Hit& hit : hits) {
    EXPECT_FALSE(std::binary_search(seen.begin(), seen.end(), hit.row));
    EXPECT_EQ(hit.id, run.model().item_id(hit.row));
  }
  EXPECT_TRUE(std::is_sorted(hits.begin(), hits.end(),
                             [](const Hit& a, const Hit& b) { return a.score > b.score; }));
  EXPECT_ERROR(recommend(run.model(), "nobody"), "no user 'nobody'");
  EXPECT_EQ(similar_items(run.model(), "5", 3).size(), 3U);
}

TEST(TrainingTableApi, ListsAndResolvesOptions) {
  TrainingTable table;
  EXPECT_TRUE(table.given().empty());
  table.options().set("divns.lambda", "0.5", OptionSource::kSet);
  table.options().set("protocol", "mixgcf", OptionSource::kSet);
  table.resolve();
  EXPECT_EQ(table.options().find("patience_epochs")->value(), "50");
  const Settings expected = {{"protocol", "mixgcf"}, {"divns.lambda", "0.5"}};
  EXPECT_EQ(table.given(), expected);
}

}  // namespace
}  // namespace divns
