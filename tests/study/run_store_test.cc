// SPDX-License-Identifier: Apache-2.0
#include "study/run_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "base/files.h"
#include "base/json.h"
#include "study/small_data.h"
#include "support/errors.h"

namespace divns {
namespace {

using testing::quick_settings;
using testing::SmallData;

RunSpec quick(const std::string& sampler = "dns", uint64_t seed = 1) {
  return {"mf", sampler, seed, quick_settings()};
}

void expect_same(const RunRecord& a, const RunRecord& b) {
  EXPECT_EQ(a.finished, b.finished);
  EXPECT_EQ(a.epochs, b.epochs);
  EXPECT_EQ(a.valid, b.valid);
  EXPECT_EQ(a.best_epoch, b.best_epoch);
  EXPECT_EQ(a.negatives, b.negatives);
  EXPECT_EQ(a.test, b.test);
}

TEST(RunSpec, NameFollowsFromWhatMatters) {
  const std::string id = plan_run(quick(), "data").id;
  EXPECT_EQ(id.size(), 32U);
  RunSpec same = quick();
  same.settings.insert(same.settings.begin(), {"epochs", "99"});  // overruled later on
  same.settings.push_back({"lr", "1e-2"});                        // another name, the same value
  same.settings.push_back({"diagnostics_users", "7"});            // never changes the result
  same.settings.push_back({"divns.lambda", "0.2"});               // of a sampler not in use
  EXPECT_EQ(plan_run(same, "data").id, id);
  EXPECT_NE(plan_run(quick("dns", 2), "data").id, id);
  EXPECT_NE(plan_run(quick("rns"), "data").id, id);
  EXPECT_NE(plan_run(quick(), "other data").id, id);
}

TEST(RunSpec, RefusesBeforeAnythingRuns) {
  RunSpec spec = quick("divns");
  EXPECT_ERROR(plan_run({"mf", "dsn", 1, {}}, ""), "Did you mean 'dns'");
  EXPECT_ERROR(plan_run({"mf", "mixgcf", 1, {}}, ""), "published for graph models");
  spec.settings.push_back({"divns.cache_ratio", "10"});
  EXPECT_ERROR(plan_run(spec, ""), "divns.cache_ratio is 10");
  spec.settings.back() = {"divns.lamda", "0.5"};
  EXPECT_ERROR(plan_run(spec, ""), "Did you mean 'divns.lambda'");
  EXPECT_ERROR(parse_setting("l2"), "name=value");
}

TEST(RunStore, AFinishedRunIsTakenAsItIs) {
  const SmallData small;
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  const PlannedRun run = store.plan(quick());
  const Executor executor(1);
  EXPECT_FALSE(store.has(run, {.final = true}));
  const RunRecord first = store.execute(run, {.final = true}, executor);
  EXPECT_TRUE(first.finished);
  EXPECT_EQ(first.epochs, 6U);
  EXPECT_TRUE(store.has(run, {.final = true}));
  EXPECT_FALSE(store.has(run, {.final = true, .cutoffs = {7}}));

  const std::string written = read_text_file(store.folder_of(run) / "metrics_test.json");
  // What a killed process left there goes.
  const auto leftover = store.folder_of(run) / ".divns-tmp-0123456789abcdef";
  write_file_atomically(leftover, "half a file");
  bool trained = false;
  const TrainCallbacks hooks{.on_epoch = [&](const EpochReport&) { return trained = true; },
                             .on_progress = {}};
  expect_same(store.execute(run, {.final = true}, executor, hooks), first);
  EXPECT_FALSE(std::filesystem::exists(leftover));
  EXPECT_FALSE(trained);
  EXPECT_EQ(read_text_file(store.folder_of(run) / "metrics_test.json"), written);
}

TEST(RunStore, MeansAreThoseOfTheUsers) {
  const SmallData small;
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  const PlannedRun run = store.plan(quick());
  const RunRecord record = store.execute(run, {.final = true}, Executor(1));
  const PerUserMetrics values = store.per_user_test(run);
  for (size_t c = 0; c < values.columns.size(); ++c) {
    const auto column = values.column(c);
    const double mean =
        std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(column.size());
    EXPECT_NEAR(record.test_metric(values.columns[c]), mean, 1e-12);
  }
  EXPECT_GT(record.test_metric("recall@20"), 0);
}

TEST(RunStore, AStoppedRunGoesOnToTheSameEnd) {
  const SmallData small;
  const Dataset data = small.open();
  const Executor executor(1);
  const RunStore whole(small.file("whole"), data);
  const RunStore parted(small.file("parted"), data);
  const PlannedRun run = whole.plan(quick("divns"));
  const RunRecord expected = whole.execute(run, {.final = true}, executor);
  std::atomic<bool> stop = true;
  const TrainCallbacks hooks{.on_epoch = {}, .on_progress = {}, .stop = &stop};
  for (int part = 0; part < 5; ++part) {
    const RunRecord stopped = parted.execute(run, {.final = true}, executor, hooks);
    EXPECT_FALSE(stopped.finished);
    EXPECT_TRUE(stopped.test.empty());
  }
  expect_same(parted.execute(run, {.final = true}, executor), expected);
}

TEST(RunStore, PausesTellTheBestSoFarAndChangeNothing) {
  const SmallData small;
  const Dataset data = small.open();
  const Executor executor(1);
  const RunStore whole(small.file("whole"), data);
  const RunStore paused(small.file("paused"), data);
  const PlannedRun run = whole.plan(quick());
  const RunRecord expected = whole.execute(run, {}, executor);
  for (const uint32_t epochs : {3U, 5U}) {
    const RunRecord at = paused.execute(run, {.pause_after = epochs}, executor);
    EXPECT_FALSE(at.finished);
    EXPECT_EQ(at.epochs, epochs);
    ASSERT_TRUE(at.valid);
    EXPECT_LE(*at.valid, *expected.valid);
    EXPECT_LT(at.best_epoch, epochs);
    // A pause can be asked for again when the run has gone on, and of a run that never paused.
    expect_same(whole.execute(run, {.pause_after = epochs}, executor), at);
  }
  const RunRecord earlier = paused.execute(run, {.pause_after = 3}, executor);
  EXPECT_EQ(earlier.epochs, 3U);
  expect_same(paused.execute(run, {}, executor), expected);
}

TEST(RunStore, TrainingNeverOpensTheTestPart) {
  const SmallData small;
  small.remove_test_part();
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  const Executor executor(1);
  const RunRecord record = store.execute(store.plan(quick()), {}, executor);
  EXPECT_TRUE(record.finished);
  EXPECT_TRUE(record.test.empty());
  EXPECT_FALSE(std::filesystem::exists(store.folder_of(store.plan(quick())) / "metrics_test.json"));
  EXPECT_ERROR(store.execute(store.plan(quick()), {.final = true}, executor), "test.bin");
}

TEST(RunStore, ModelsThatAreFittedTakePart) {
  const SmallData small;
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  const Executor executor(1);
  for (const char* model : {"popularity", "ease", "ials"}) {
    const PlannedRun run = store.plan({model, "", 1, quick_settings()});
    const RunRecord validated = store.execute(run, {.pause_after = 5}, executor);
    EXPECT_TRUE(validated.finished);
    EXPECT_TRUE(validated.valid) << model;
    EXPECT_TRUE(validated.test.empty());
    const RunRecord record = store.execute(run, {.final = true}, executor);
    EXPECT_EQ(record.valid, validated.valid);
    EXPECT_GT(record.test_metric("recall@20"), 0) << model;
    expect_same(store.execute(run, {.final = true}, executor), record);
  }
}

TEST(RunStore, ResultsThatWereEditedEnterNoStudy) {
  const SmallData small;
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  const PlannedRun run = store.plan(quick());
  const Executor executor(1);
  store.execute(run, {.final = true}, executor);
  const std::filesystem::path path = store.folder_of(run) / "metrics_test.json";
  std::string text = read_text_file(path);
  const size_t digit = text.find("0.", text.find("recall@20")) + 2;
  text[digit] = text[digit] == '9' ? '8' : '9';
  write_file_atomically(path, text);
  EXPECT_ERROR(store.execute(run, {.final = true}, executor), "was changed after divns wrote it");
}

// A file without a hash is one of an older version, which may have had fewer metrics.
TEST(RunStore, MetricsThatAreMissingAreMeasuredAgain) {
  const SmallData small;
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  const PlannedRun run = store.plan(quick());
  const Executor executor(1);
  const RunRecord whole = store.execute(run, {.final = true}, executor);
  const std::filesystem::path path = store.folder_of(run) / "metrics_test.json";
  Json json = parse_json(read_text_file(path));
  json.erase("content_hash");
  json["metrics"].erase("ndcg@20");
  write_file_atomically(path, json_text(json));
  EXPECT_EQ(store.execute(run, {.final = true}, executor).test_metric("ndcg@20"),
            whole.test_metric("ndcg@20"));
}

TEST(RunStore, ALinkInPlaceOfARunIsNotFollowed) {
  const SmallData small;
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  const PlannedRun run = store.plan(quick());
  std::filesystem::create_directories(small.file("runs"));
  std::filesystem::create_directories(small.file("elsewhere"));
  std::filesystem::create_directory_symlink(small.file("elsewhere"), store.folder_of(run));
  EXPECT_ERROR(store.execute(run, {.final = true}, Executor(1)), "is a link or a file");
  EXPECT_TRUE(std::filesystem::is_empty(small.file("elsewhere")));
}

}  // namespace
}  // namespace divns
