// SPDX-License-Identifier: Apache-2.0
#include "study/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/files.h"
#include "base/json.h"
#include "report/table.h"
#include "study/comparison_report.h"
#include "study/comparison_study.h"
#include "study/small_data.h"
#include "study/stop_often.h"
#include "support/errors.h"

namespace divns {
namespace {

using testing::quick_settings;
using testing::run_with_stops;
using testing::SmallData;

ComparisonStudy small_study(const std::filesystem::path& out) {
  StudyRows rows = make_rows({"mf", "lightgcn"}, parse_variants("rns,dns,divns"), {"popularity"},
                             quick_settings());
  choose_reference(rows.rows, "");
  return {.verb = "compare",
          .title = "Samplers compared",
          .command = "divns compare",
          .out = out,
          .request = {.rows = std::move(rows.rows),
                      .seeds = {1, 2},
                      .metrics = {"recall@20", "ndcg@10"},
                      .bootstrap = {.resamples = 200}}};
}

const PairTest& find_test(const Comparison& comparison, const std::string& group,
                          const std::string& metric, const std::string& other) {
  for (const PairTest& test : comparison.tests)
    if (test.group == group && test.metric == metric && test.other == other) return test;
  throw std::runtime_error("no such test");
}

class ComparisonOfSmallData : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    small_ = new SmallData();
    data_ = new Dataset(small_->open());
    study_ = new ComparisonStudy(small_study(small_->file("study")));
    comparison_ = new Comparison(*run_comparison(*data_, *study_, {.jobs = 1, .threads = 1}, {}));
  }
  static void TearDownTestSuite() {
    delete comparison_;
    delete study_;
    delete data_;
    delete small_;
  }
  static std::string read(const char* name) { return read_text_file(study_->out / name); }

  static SmallData* small_;
  static Dataset* data_;
  static ComparisonStudy* study_;
  static Comparison* comparison_;
};
SmallData* ComparisonOfSmallData::small_ = nullptr;
Dataset* ComparisonOfSmallData::data_ = nullptr;
ComparisonStudy* ComparisonOfSmallData::study_ = nullptr;
Comparison* ComparisonOfSmallData::comparison_ = nullptr;

TEST_F(ComparisonOfSmallData, MeansAndDeviationsOverSeeds) {
  ASSERT_EQ(comparison_->rows.size(), 7U);
  const size_t column = comparison_->column("recall@20");
  for (const RowResult& row : comparison_->rows) {
    double sum = 0;
    double squares = 0;
    for (const RowResult::OfSeed& seed : row.seeds) {
      const double value = seed.record.test_metric("recall@20");
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(row.mean[column], sum / 2, 1e-12);
    EXPECT_NEAR(row.sd[column], std::sqrt(std::max(0.0, squares - sum * sum / 2)), 1e-7);
  }
}

TEST_F(ComparisonOfSmallData, TestsAreOfUsersAveragedOverSeeds) {
  const RunStore store(study_->out / "runs", *data_);
  const auto values_of = [&](size_t row) {
    std::vector<double> means;
    for (const RowResult::OfSeed& seed : comparison_->rows[row].seeds) {
      const PerUserMetrics values = store.per_user_test(seed.run);
      const auto at = std::find(values.columns.begin(), values.columns.end(), "recall@20");
      const auto column = values.column(static_cast<size_t>(at - values.columns.begin()));
      means.resize(column.size());
      for (size_t u = 0; u < column.size(); ++u) means[u] += column[u] / 2.0;
    }
    return means;
  };
  // Rows 3 to 5: lightgcn with rns, dns, divns.
  const std::vector<double> divns = values_of(5);
  const std::vector<double> rns = values_of(3);
  std::vector<double> differences;
  for (size_t u = 0; u < divns.size(); ++u) differences.push_back(divns[u] - rns[u]);
  const PairTest& test = find_test(*comparison_, "lightgcn", "recall@20", "rns");
  EXPECT_NEAR(test.users.t, paired_t_test(differences).t, 1e-6);
  EXPECT_NEAR(test.users.mean, paired_t_test(differences).mean, 1e-9);
  EXPECT_LE(test.interval.low, test.users.mean);
  EXPECT_GE(test.interval.high, test.users.mean);
  EXPECT_EQ(test.seeds.n, 2U);
  EXPECT_NEAR(test.seeds.mean, test.users.mean, 1e-6);
}

TEST_F(ComparisonOfSmallData, FamiliesOfHolmAreAModelAndAMetric) {
  // Two models x two metrics x two others; the baselines have no reference.
  EXPECT_EQ(comparison_->tests.size(), 8U);
  for (const char* group : {"mf", "lightgcn"})
    for (const char* metric : {"recall@20", "ndcg@10"}) {
      const PairTest& rns = find_test(*comparison_, group, metric, "rns");
      const PairTest& dns = find_test(*comparison_, group, metric, "dns");
      const std::vector<double> expected = holm(std::vector{rns.ranks.p, dns.ranks.p});
      EXPECT_EQ(rns.ranks_p_holm, expected[0]);
      EXPECT_EQ(dns.ranks_p_holm, expected[1]);
    }
}

TEST_F(ComparisonOfSmallData, LeadsAreOverTheBestOther) {
  const size_t column = comparison_->column("recall@20");
  for (const Lead& lead : comparison_->leads) {
    if (lead.metric != "recall@20" || lead.group != "mf") continue;
    double others = 0;
    for (size_t r = 0; r < 2; ++r) others = std::max(others, comparison_->rows[r].mean[column]);
    EXPECT_NEAR(*lead.reference_over_best_other,
                100 * (comparison_->rows[2].mean[column] / others - 1), 1e-9);
    EXPECT_GE(lead.best_over_second, 0);
  }
}

TEST_F(ComparisonOfSmallData, FilesTellTheSameStory) {
  const auto json = parse_json(read("study.json"));
  EXPECT_EQ(json["format"], "divns-study");
  EXPECT_EQ(json["dataset"]["hash"], data_->hash());
  EXPECT_EQ(json["rows"].size(), 7U);
  EXPECT_EQ(json["rows"][0]["mean"]["recall@20"],
            comparison_->rows[0].mean[comparison_->column("recall@20")]);
  EXPECT_EQ(json["tests"].size(), 8U);
  // Nothing that differs from one execution to the next.
  for (const char* word : {"seconds", "threads", "jobs", small_->folder.path().c_str()})
    EXPECT_EQ(read("study.json").find(word), std::string::npos) << word;
  EXPECT_NE(read("table.md").find("divns vs best other"), std::string::npos);
  EXPECT_NE(read("table.tex").find("\\toprule"), std::string::npos);
  EXPECT_NE(read("runs.csv").find("negatives_diversity"), std::string::npos);
  EXPECT_NE(read("timings.csv").find("seconds_per_epoch"), std::string::npos);
  EXPECT_NE(read("commands.sh").find("divns compare --out"), std::string::npos);
}

TEST_F(ComparisonOfSmallData, ALabelIsNoCommand) {
  ComparisonStudy labelled = small_study(small_->file("labelled"));
  labelled.runs = (study_->out / "runs").string();
  labelled.request.rows[0].label = "x\ntouch FILE #";
  ASSERT_TRUE(run_comparison(*data_, labelled, {.jobs = 1, .threads = 1}, {}));
  const std::string script = read_text_file(labelled.out / "commands.sh");
  EXPECT_NE(script.find("x\\ntouch FILE"), std::string::npos);
  EXPECT_EQ(script.find("\ntouch"), std::string::npos);
}

TEST_F(ComparisonOfSmallData, JobsAndThreadsChangeNothing) {
  ComparisonStudy other = small_study(small_->file("other"));
  ASSERT_TRUE(run_comparison(*data_, other, {.jobs = 2, .threads = 4}, {}));
  for (const char* name : {"study.json", "table.md", "table.tex", "table.csv", "table_all.csv",
                           "tests.csv", "runs.csv"})
    EXPECT_EQ(read_text_file(other.out / name), read(name)) << name;
}

TEST_F(ComparisonOfSmallData, AStudyThatIsStoppedOftenEndsTheSame) {
  ComparisonStudy parted = small_study(small_->file("parted"));
  const int calls = run_with_stops(5, [&](const StudyCallbacks& hooks) {
    return run_comparison(*data_, parted, {.jobs = 2, .threads = 2}, hooks).has_value();
  });
  EXPECT_GT(calls, 3);
  EXPECT_EQ(read_text_file(parted.out / "study.json"), read("study.json"));
}

TEST_F(ComparisonOfSmallData, AFolderWithSomethingElseIsRefused) {
  ComparisonStudy changed = small_study(study_->out);
  changed.request.seeds = {1};
  EXPECT_ERROR(run_comparison(*data_, changed, {}, {}), "holds another study");
  changed.out = small_->path();
  EXPECT_ERROR(run_comparison(*data_, changed, {}, {}), "holds no study");
  // With the runs of the first study, nothing is trained again.
  changed.out = small_->file("fewer");
  changed.runs = (study_->out / "runs").string();
  bool trained = false;
  const StudyCallbacks hooks{[&](const StudyProgress& progress) {
    if (progress.current.find("epoch") != std::string::npos) trained = true;
  }};
  EXPECT_TRUE(run_comparison(*data_, changed, {}, hooks));
  EXPECT_FALSE(trained);
}

TEST(Comparison, BadRequestsAreSentences) {
  const SmallData small;
  const Dataset data = small.open();
  const auto error_of = [&](auto change) {
    ComparisonStudy study = small_study(small.file("bad"));
    change(study.request);
    return testing::error_of([&] { run_comparison(data, study, {}, {}); });
  };
  EXPECT_NE(error_of([](auto& request) { request.seeds.clear(); }).find("seeds is 0"),
            std::string::npos);
  EXPECT_NE(error_of([](auto& request) {
              request.metrics = {"recal@20"};
            }).find("Did you mean 'recall@20'"),
            std::string::npos);
  std::vector<StudyRow> rows = small_study(small.file("bad")).request.rows;
  EXPECT_ERROR(choose_reference(rows, "divnss"), "Did you mean 'divns'");
  EXPECT_FALSE(std::filesystem::exists(small.file("bad")));
}

}  // namespace
}  // namespace divns
