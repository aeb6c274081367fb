// SPDX-License-Identifier: Apache-2.0
#include "study/tuning.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/json.h"
#include "run/run_events.h"
#include "study/small_data.h"
#include "study/stop_often.h"
#include "study/tuning_report.h"
#include "support/errors.h"

namespace divns {
namespace {

using testing::run_with_stops;
using testing::SmallData;

TuningStudy small_tuning(const std::filesystem::path& out) {
  const Settings base = {{"embedding_dim", "8"}, {"batch_size", "256"}, {"eval_every", "2"}};
  StudyRows rows = make_rows({"mf"}, parse_variants("rns,divns"), {"ials"}, base);
  return {.command = "divns tune",
          .out = out,
          .request = {std::move(rows.rows),
                      {.trials = 6, .rungs = {3, 7}},
                      4,
                      false,
                      {"embedding_dim", "ials.alpha0"}}};
}

// The test part is not there: whoever opened it would fail.
struct Tuned {
  SmallData small;
  TuningStudy study = small_tuning(small.file("tuning"));
  TuningResult result;
  uint64_t epochs_run = 0;

  Tuned() {
    small.remove_test_part();
    const StudyCallbacks hooks{[&](const StudyProgress& progress) {
      if (progress.current.find(", epoch ") != std::string::npos) ++epochs_run;
    }};
    result = *run_tuning(small.open(), study, {.jobs = 1, .threads = 1}, hooks);
  }
};
const Tuned& tuned() {
  static const Tuned once;
  return once;
}

TEST(Tuning, EverySamplerGetsTheSameBudget) {
  const auto& rows = tuned().result.rows;
  ASSERT_EQ(rows.size(), 3U);
  for (size_t r = 0; r < 2; ++r) {
    EXPECT_EQ(rows[r].trials.size(), 6U);
    size_t at[3] = {};
    for (const Trial& trial : rows[r].trials) ++at[trial.rungs.size()];
    // 6 trials, of which a third goes on.
    EXPECT_EQ(at[1], 4U);
    EXPECT_EQ(at[2], 2U);
    // No trial of so few epochs runs out of patience, so the whole budget was spent.
    EXPECT_EQ(rows[r].epochs_trained, tuned().study.request.plan.epochs());
  }
  const auto json = parse_json(read_text_file(tuned().study.out / "study.json"));
  EXPECT_EQ(json["rows"][0]["pairs_trained"], json["rows"][1]["pairs_trained"]);
  EXPECT_EQ(json["plan"]["most_epochs_each"], 6 * 3 + 2 * 4);
}

TEST(Tuning, OnlyTheBestOfARungGoOn) {
  for (const TuningResult::OfRow& row : tuned().result.rows) {
    double worst_promoted = 1;
    double best_left = 0;
    for (const Trial& trial : row.trials) {
      const double valid = *trial.rungs[0].valid;
      if (trial.rungs.size() > 1)
        worst_promoted = std::min(worst_promoted, valid);
      else
        best_left = std::max(best_left, valid);
    }
    EXPECT_GE(worst_promoted, best_left) << row.row.label;
    for (const Trial& trial : row.trials) {
      if (trial.rungs.size() < 2) continue;
      EXPECT_LE(*trial.rungs[1].valid, *row.trials[row.best].rungs[1].valid);
    }
  }
}

TEST(Tuning, SamplersShareTheirLearningRatesAndTheFirstTrialIsTheRowItself) {
  const auto& rows = tuned().result.rows;
  EXPECT_TRUE(rows[0].trials[0].settings.empty());
  for (size_t t = 1; t < 6; ++t)
    for (size_t s = 0; s < 2; ++s)
      EXPECT_EQ(rows[0].trials[t].settings[s], rows[1].trials[t].settings[s]);
}

// A trial that goes on does not start again: no more epochs were run than the two samplers have
// between them, and each trial has a line of events for each of its own.
TEST(Tuning, PromotedTrialsResume) {
  EXPECT_EQ(tuned().epochs_run, 2 * tuned().study.request.plan.epochs());
  const Dataset data = tuned().small.open();
  const RunStore store(tuned().study.out / "runs", data);
  for (size_t r = 0; r < 2; ++r)
    for (const Trial& trial : tuned().result.rows[r].trials)
      EXPECT_EQ(read_run_events(store.folder_of(trial.run)).size(), trial.rungs.back().epochs);
}

TEST(Tuning, StoppedOftenItEndsTheSame) {
  const Dataset data = tuned().small.open();
  TuningStudy parted = small_tuning(tuned().small.file("parted"));
  const int calls = run_with_stops(7, [&](const StudyCallbacks& hooks) {
    return run_tuning(data, parted, {.jobs = 2, .threads = 2}, hooks).has_value();
  });
  EXPECT_GT(calls, 3);
  for (const char* name : {"study.json", "trials.csv", "best.toml", "winners.md"})
    EXPECT_EQ(read_text_file(parted.out / name), read_text_file(tuned().study.out / name)) << name;
}

TEST(Tuning, WinnersAreReadAsVariants) {
  const std::vector<Variant> winners = parse_variants((tuned().study.out / "best.toml").string());
  ASSERT_EQ(winners.size(), 3U);
  EXPECT_EQ(winners[1].label, "divns");
  EXPECT_EQ(winners[1].model, "mf");
  // As settings of a run they give the run that won, but for the epochs.
  const auto& row = tuned().result.rows[1];
  Settings settings = winners[1].settings;
  settings.push_back({"epochs", "7"});
  EXPECT_EQ(plan_run({"mf", "divns", 4, settings}, tuned().small.open().hash()).id,
            row.trials[row.best].run.id);
  const StudyRows rows = make_rows({"mf"}, winners, {"ials"}, {});
  EXPECT_EQ(rows.rows.size(), 3U);
  EXPECT_EQ(rows.rows[2].settings, winners[2].settings);
}

TEST(Tuning, BadRequestsAreSentences) {
  const Dataset data = tuned().small.open();
  TuningStudy study = small_tuning(tuned().small.file("bad"));
  study.request.plan.rungs = {2, 7};
  EXPECT_ERROR(run_tuning(data, study, {}, {}), "first validation only after 3");
  study.request.plan.rungs = {7, 3};
  EXPECT_ERROR(run_tuning(data, study, {}, {}), "larger than the one before");
  study.request.rows.clear();
  EXPECT_ERROR(run_tuning(data, study, {}, {}), "nothing is left to tune");
  study = small_tuning(tuned().study.out);
  study.request.seed = 5;
  EXPECT_ERROR(run_tuning(data, study, {}, {}), "holds another study");
}

}  // namespace
}  // namespace divns
