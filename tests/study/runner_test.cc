// SPDX-License-Identifier: Apache-2.0
#include "study/runner.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "study/small_data.h"
#include "study/stop_often.h"
#include "support/errors.h"

namespace divns {
namespace {

using testing::quick_settings;
using testing::run_with_stops;
using testing::SmallData;

std::vector<NamedRun> some_runs(const RunStore& store) {
  std::vector<NamedRun> runs;
  for (const uint64_t seed : {1U, 2U, 3U})
    for (const char* sampler : {"rns", "dns"})
      runs.push_back({store.plan({"mf", sampler, seed, quick_settings()}), sampler});
  return runs;
}

TEST(Runner, SeveralAtATimeGiveTheSameNumbers) {
  const SmallData small;
  const Dataset data = small.open();
  const RunStore one(small.file("one"), data);
  const RunStore many(small.file("many"), data);
  const std::vector<NamedRun> runs = some_runs(one);
  const RunDemand demand{.final = true};
  const RunnerResult expected = execute_runs(one, runs, demand, {.jobs = 1, .threads = 2}, {});
  const RunnerResult other = execute_runs(many, runs, demand, {.jobs = 3, .threads = 3}, {});
  ASSERT_TRUE(expected.complete && other.complete);
  for (size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(other.records[i].test, expected.records[i].test);
    EXPECT_EQ(other.records[i].negatives, expected.records[i].negatives);
    EXPECT_EQ(read_text_file(many.folder_of(runs[i].run) / "model.safetensors"),
              read_text_file(one.folder_of(runs[i].run) / "model.safetensors"));
  }
}

TEST(Runner, ARunThatIsAskedForTwiceIsExecutedOnce) {
  const SmallData small;
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  std::vector<NamedRun> runs = some_runs(store);
  runs.resize(1);
  for (int copy = 0; copy < 5; ++copy) runs.push_back(runs.front());
  size_t last_total = 0;
  const StudyCallbacks hooks{[&](const StudyProgress& progress) { last_total = progress.total; }};
  const RunnerResult result = execute_runs(store, runs, {}, {.jobs = 3, .threads = 3}, hooks);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(last_total, 1U);
  for (const RunRecord& record : result.records) EXPECT_EQ(record.valid, result.records[0].valid);
}

TEST(Runner, StopsCleanlyAndGoesOn) {
  const SmallData small;
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  const RunStore whole(small.file("whole"), data);
  const std::vector<NamedRun> runs = some_runs(store);
  RunnerResult result;
  const int calls = run_with_stops(5, [&](const StudyCallbacks& hooks) {
    result = execute_runs(store, runs, {.final = true}, {.jobs = 2, .threads = 2}, hooks);
    return result.complete;
  });
  EXPECT_GT(calls, 3);
  ASSERT_TRUE(result.complete);
  const RunnerResult expected = execute_runs(whole, runs, {.final = true}, {}, {});
  for (size_t i = 0; i < runs.size(); ++i)
    EXPECT_EQ(result.records[i].test, expected.records[i].test);
}

TEST(Runner, AnErrorEndsTheOthersAndIsThrown) {
  const SmallData small;
  small.remove_test_part();
  const Dataset data = small.open();
  const RunStore store(small.file("runs"), data);
  EXPECT_ERROR(
      execute_runs(store, some_runs(store), {.final = true}, {.jobs = 2, .threads = 2}, {}),
      "test.bin");
}

}  // namespace
}  // namespace divns
