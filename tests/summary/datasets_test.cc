// SPDX-License-Identifier: Apache-2.0
// Reports on several datasets, on studies that are not finished, and tests between plain runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>

#include "base/files.h"
#include "base/json.h"
#include "divns/evaluate.h"
#include "divns/report.h"
#include "divns/study.h"
#include "divns/train.h"
#include "summary/verdict.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

Dataset reported_data(const fs::path& folder, uint64_t seed) {
  SynthOptions synth;
  synth.users = 60;
  synth.items = 50;
  synth.pairs = 1200;
  synth.seed = seed;
  return Dataset::synthetic(synth, {}, folder);
}

CompareOptions small_comparison(const fs::path& out) {
  CompareOptions options;
  options.out = out.string();
  options.samplers = "rns,dns";
  options.seeds = 2;
  options.settings = {{"epochs", "4"}};
  return options;
}

TEST(Datasets, EachHasItsOwnPartAndItsSentence) {
  const testing::TempFolder temp;
  std::vector<Dataset> data;
  data.push_back(reported_data(temp.path() / "one", 1));
  data.push_back(reported_data(temp.path() / "two", 2));
  const CompareOptions options = small_comparison(temp.path() / "study");
  compare_datasets(data, options);
  const Json report = parse_json(report_document({options.out}));
  const std::string verdict = report["verdict"];
  EXPECT_NE(verdict.find("On one: "), std::string::npos) << verdict;
  EXPECT_NE(verdict.find("On two: "), std::string::npos) << verdict;
  EXPECT_NE(verdict.find("over users"), std::string::npos) << verdict;
  ASSERT_EQ(report["datasets"].size(), 2U);
  for (const Json& dataset : report["datasets"]) {
    EXPECT_EQ(dataset["series"], (Json{"rns", "dns"}));
    EXPECT_EQ(dataset["sections"][0]["id"], "results");
  }
  const Json& table = report["sections"][0]["blocks"][0]["table"];
  EXPECT_EQ(table["columns"].size(), 5U);  // metric, model, row, and two datasets
  EXPECT_EQ(table["rows"].size(), 8U);     // four metrics of two rows
  // Flat formats have all rows of both.
  write_report({options.out}, temp.path() / "epochs.csv");
  const std::string csv = read_text_file(temp.path() / "epochs.csv");
  for (const char* row : {"\nmf on one rns,", "\nmf on two dns,"})
    EXPECT_NE(csv.find(row), std::string::npos) << row;
  write_report({options.out}, temp.path() / "report.md");
  EXPECT_NE(read_text_file(temp.path() / "report.md").find("\n# two\n"), std::string::npos);
}

TEST(Datasets, OfAnUnfinishedStudyThoseThatHaveBegunAreShown) {
  const testing::TempFolder temp;
  std::vector<Dataset> data;
  data.push_back(reported_data(temp.path() / "one", 1));
  data.push_back(reported_data(temp.path() / "two", 2));
  const CompareOptions options = small_comparison(temp.path() / "study");
  std::atomic<bool> stop = false;
  compare_datasets(data, options,
                   {.on_progress =
                        [&](const StudyProgress& progress) {
                          if (progress.done == 3) stop = true;
                        },
                    .stop = &stop});
  const Json report = parse_json(report_document({options.out}));
  ASSERT_EQ(report["datasets"].size(), 1U);
  EXPECT_EQ(report["datasets"][0]["name"], "one");
}

TEST(UnfinishedStudy, RowsHaveTheirLabels) {
  const testing::TempFolder temp;
  const Dataset data = reported_data(temp.path() / "one", 1);
  CompareOptions options = small_comparison(temp.path() / "study");
  options.samplers = "dns:dns.candidates=3,dns:dns.candidates=5";
  std::atomic<bool> stop = false;
  std::vector<std::string> asked;
  compare(data, options,
          {.on_progress =
               [&](const StudyProgress& progress) {
                 if (progress.done == 3) stop = true;
               },
           .stop = &stop});
  const Json request = parse_json(read_text_file(temp.path() / "study" / "request.json"));
  for (const Json& row : request["rows"]) asked.push_back(row["label"]);
  const Json report = parse_json(report_document({options.out}));
  EXPECT_EQ(report["series"], Json(asked));
}

TEST(UnfinishedStudy, OneMeasuredSeedHasNoSpread) {
  Summary summary;
  summary.metrics = {"ndcg@20"};
  summary.rows.resize(2);
  summary.rows[0].label = "dns";
  summary.rows[1].label = "rns";
  for (SummaryRow& row : summary.rows) row.runs.resize(2);
  summary.rows[0].runs[0].test = {{"ndcg@20", 0.4}};  // the other run still trains
  summary.rows[1].runs[0].test = {{"ndcg@20", 0.2}};
  summary.rows[1].runs[1].test = {{"ndcg@20", 0.3}};
  const std::string verdict = verdict_of(summary);
  EXPECT_NE(verdict.find("(0.4000)"), std::string::npos) << verdict;
  EXPECT_NE(verdict.find("(0.250 ± 0.071)"), std::string::npos) << verdict;
}

TEST(UnfinishedStudy, TuningShowsTrialsAndTheBestOfEachRow) {
  const testing::TempFolder temp;
  const Dataset data = reported_data(temp.path() / "one", 1);
  TuneOptions options;
  options.out = (temp.path() / "tuning").string();
  options.samplers = "rns,dns";
  options.trials = 5;
  options.rungs = {6, 11};
  std::atomic<bool> stop = false;
  tune(data, options,
       {.on_progress =
            [&](const StudyProgress& progress) {
              if (progress.done >= 8) stop = true;
            },
        .stop = &stop});
  const Json report = parse_json(report_document({options.out}));
  EXPECT_EQ(report["series"].size(), 2U);
  EXPECT_EQ(report["title"], "Tuning of negative samplers");
  bool has_trials = false;
  for (const Json& section : report["sections"])
    has_trials = has_trials || section["id"] == "tuning";
  EXPECT_TRUE(has_trials);
}

// A run with its test part evaluated, as `divns evaluate` leaves it.
void train_and_evaluate(const Dataset& data, const fs::path& folder, const std::string& sampler,
                        uint64_t seed) {
  TrainOptions options{.sampler = sampler, .seed = seed};
  options.epochs = 6;
  options.folder = folder;
  const Run run = train(data, options);
  write_evaluation(folder, {folder.string(), data.hash(), "test", "train", 0},
                   evaluate(run.model(), data, {}));
}

TEST(RunTests, BestRowIsTestedAgainstTheOthers) {
  const testing::TempFolder temp;
  const Dataset data = reported_data(temp.path() / "one", 1);
  std::vector<fs::path> runs;
  for (const char* sampler : {"rns", "dns"})
    for (const uint64_t seed : {1U, 2U}) {
      runs.push_back(temp.path() / (sampler + std::to_string(seed)));
      train_and_evaluate(data, runs.back(), sampler, seed);
    }
  const Json report = parse_json(report_document(runs));
  const std::string verdict = report["verdict"];
  EXPECT_NE(verdict.find("significant over users (p = "), std::string::npos) << verdict;
  EXPECT_NE(verdict.find("over seeds (p = "), std::string::npos) << verdict;
  // The same numbers as a study of the same runs.
  const CompareOptions options = [&] {
    CompareOptions same = small_comparison(temp.path() / "study");
    same.settings = {{"epochs", "6"}};
    return same;
  }();
  const ComparisonResult study = compare(data, options);
  const auto expected = std::find_if(study.tests.begin(), study.tests.end(),
                                     [](const auto& test) { return test.metric == "ndcg@20"; });
  Json found;
  for (const Json& block : report["sections"][0]["blocks"])
    if (block["title"] == "Paired tests")
      for (const Json& row : block["table"]["rows"])
        if (row[1] == "ndcg@20") found = row;
  ASSERT_TRUE(found.is_array());
  EXPECT_NEAR(std::abs(found[4]["v"].get<double>()), std::abs(expected->difference), 1e-6);
  EXPECT_NEAR(found[7]["v"].get<double>(), expected->p_users, 1e-4);
}

TEST(RunTests, WithoutValuesPerUserNothingIsTested) {
  const testing::TempFolder temp;
  const Dataset data = reported_data(temp.path() / "one", 1);
  for (const char* sampler : {"rns", "dns"})
    train_and_evaluate(data, temp.path() / sampler, sampler, 1);
  fs::remove(temp.path() / "dns" / "per_user_test.safetensors");
  const Json report = parse_json(report_document({temp.path() / "rns", temp.path() / "dns"}));
  EXPECT_NE(std::string(report["verdict"]).find("not tested"), std::string::npos);
  EXPECT_NE(std::string(report["notes"][0]).find("divns evaluate"), std::string::npos);
}

}  // namespace
}  // namespace divns
