// SPDX-License-Identifier: Apache-2.0
#include "divns/report.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/escape.h"
#include "base/files.h"
#include "base/json.h"
#include "divns/study.h"
#include "divns/train.h"
#include "summary/document.h"
#include "summary/summary.h"
#include "summary/verdict.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

SynthOptions small_world() {
  SynthOptions synth;
  synth.users = 60;
  synth.items = 50;
  synth.pairs = 1200;
  return synth;
}

Dataset report_data() {
  return Dataset::synthetic(small_world());
}

void train_for_report(const Dataset& data, const fs::path& folder, const std::string& sampler,
                      uint64_t seed) {
  TrainOptions options{.sampler = sampler, .seed = seed};
  options.epochs = 6;
  options.folder = folder;
  train(data, options);
}

const Json* find_section(const Json& report, const std::string& id) {
  for (const Json& section : report["sections"])
    if (section["id"] == id) return &section;
  return nullptr;
}

TEST(Report, RunsOfOneConfigurationBecomeOneRow) {
  const testing::TempFolder temp;
  const Dataset data = report_data();
  train_for_report(data, temp.path() / "a", "rns", 1);
  train_for_report(data, temp.path() / "b", "rns", 2);
  train_for_report(data, temp.path() / "c", "divns", 1);
  const std::string text =
      report_document({temp.path() / "a", temp.path() / "b", temp.path() / "c"});
  const Json report = parse_json(text);
  EXPECT_EQ(report["series"], (Json{"rns", "divns"}));
  const Json* curves = find_section(report, "curves");
  ASSERT_NE(curves, nullptr);
  const Json& loss = (*curves)["blocks"][0];
  EXPECT_EQ(loss["title"], "Loss");
  // Six epochs of each row; a band only where there are two seeds.
  EXPECT_EQ(loss["data"]["loss"].size(), 12U);
  EXPECT_TRUE(loss["data"]["loss sd"][0].is_number());
  EXPECT_TRUE(loss["data"]["loss sd"][6].is_null());
  EXPECT_EQ(loss["spec"].find("data"), loss["spec"].end());
}

TEST(Report, NamesAllDatasetsOfItsRuns) {
  const testing::TempFolder temp;
  std::vector<fs::path> runs;
  for (const std::string name : {"clear", "noisy"}) {
    SynthOptions world = small_world();
    world.seed = runs.size() + 1;
    write_synthetic(world, {}, temp.path() / name);
    runs.push_back(temp.path() / (name + "-run"));
    train_for_report(Dataset::open(temp.path() / name), runs.back(), "rns", 1);
  }
  EXPECT_EQ(parse_json(report_document(runs))["subtitle"], "2 runs on clear, noisy");
}

TEST(Report, StudyHasVerdictIntervalsAndEverySection) {
  const testing::TempFolder temp;
  const Dataset data = report_data();
  CompareOptions options;
  options.out = (temp.path() / "study").string();
  options.samplers = "rns,divns";
  options.baselines = {"popularity"};
  options.seeds = 2;
  options.settings = {{"epochs", "6"}};
  compare(data, options);
  const Json report = parse_json(report_document({options.out}));
  const std::string verdict = report["verdict"];
  EXPECT_NE(verdict.find("ndcg@20"), std::string::npos) << verdict;
  EXPECT_NE(verdict.find("significant over users"), std::string::npos) << verdict;
  for (const char* id : {"results", "time-quality", "curves", "phases", "groups", "diversity",
                         "recommendations", "reproduce"})
    EXPECT_NE(find_section(report, id), nullptr) << id;
  const Json& rows = (*find_section(report, "results"))["blocks"][0]["table"]["rows"];
  EXPECT_EQ(rows.size(), 3U);
  EXPECT_NE(std::string(rows[0][2]["tip"]).find("95 % interval"), std::string::npos);
}

TEST(Report, RunCutShortIsReportedAsFarAsItCame) {
  const testing::TempFolder temp;
  const Dataset data = report_data();
  const fs::path run = temp.path() / "run";
  train_for_report(data, run, "dns", 1);
  fs::remove(run / "metrics.json");
  fs::remove(run / "model.safetensors");
  const std::string log = read_text_file(run / "events.jsonl");
  std::ofstream(run / "events.jsonl") << log.substr(0, log.size() / 2);
  const Json report = parse_json(report_document({run}));
  const size_t epochs = (*find_section(report, "curves"))["blocks"][0]["data"]["loss"].size();
  EXPECT_GE(epochs, 2U);
  EXPECT_LT(epochs, 6U);
}

TEST(Report, DamagedFilesAreNamed) {
  const testing::TempFolder temp;
  const Dataset data = report_data();
  const fs::path run = temp.path() / "run";
  train_for_report(data, run, "dns", 1);
  std::string metrics = read_text_file(run / "metrics.json");
  metrics.replace(metrics.find("\"epochs\": 6"), 11, "\"epochs\": 7");
  std::ofstream(run / "metrics.json") << metrics;
  EXPECT_NE(testing::error_of([&] { report_document({run}); }).find("metrics.json"),
            std::string::npos);
  fs::create_directory(temp.path() / "empty");
  EXPECT_NE(
      testing::error_of([&] { report_document({temp.path() / "empty"}); }).find("holds no run"),
      std::string::npos);
}

TEST(Report, InsideWhatItReportsOnNoLinkIsFollowed) {
  const testing::TempFolder temp;
  const fs::path run = temp.path() / "run";
  train_for_report(report_data(), run, "rns", 1);
  std::ofstream(temp.path() / "thesis.md") << "mine";
  fs::create_symlink("../thesis.md", run / "report.md");
  EXPECT_NE(testing::error_of([&] { write_report({run}, run / "report.md"); }).find("is a link"),
            std::string::npos);
  EXPECT_EQ(read_text_file(temp.path() / "thesis.md"), "mine");
  // Elsewhere a link is a name that the user chose.
  fs::create_symlink("thesis.md", temp.path() / "report.md");
  write_report({run}, temp.path() / "report.md");
  EXPECT_TRUE(fs::is_symlink(temp.path() / "report.md"));
  EXPECT_NE(read_text_file(temp.path() / "thesis.md"), "mine");
}

TEST(Report, NumbersThatAreNotFiniteAreLeftOut) {
  const testing::TempFolder temp;
  const Dataset data = report_data();
  const fs::path run = temp.path() / "run";
  train_for_report(data, run, "dns", 1);
  fs::remove(run / "metrics.json");
  std::string log = read_text_file(run / "events.jsonl");
  const size_t at = log.find("\"mean_loss\":") + 12;
  log.replace(at, log.find(',', at) - at, "null");
  std::ofstream(run / "events.jsonl") << log;
  const Json report = parse_json(report_document({run}));
  EXPECT_EQ((*find_section(report, "curves"))["blocks"][0]["data"]["loss"].size(), 5U);
}

TEST(Report, DocumentCannotLeaveItsElement) {
  const std::string safe = escape_script_json("{\"a\":\"</script><!-- & \xe2\x80\xa8\"}");
  EXPECT_EQ(safe.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(safe.find('\xe2'), std::string::npos);
  EXPECT_EQ(parse_json(safe)["a"], "</script><!-- & \xe2\x80\xa8");
  if (!has_report_page()) GTEST_SKIP() << "the page was not built";
  const std::string page = report_page("{\"a\":\"</script><script>alert(1)\"}");
  EXPECT_EQ(page.find("alert(1)</"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script\\u003e"), std::string::npos);
}

TEST(Report, TextOfStrangersIsMadeVisibleAndCut) {
  EXPECT_EQ(shown_text("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(shown_text("\xe2\x80\xaex"), "\\u202ex");
  EXPECT_EQ(shown_text(std::string(10'000, 'x')), std::string(120, 'x') + "…");
  EXPECT_EQ(shown_text("ééé", 2), "éé…");
}

TEST(Report, DigitsFollowTheSpread) {
  EXPECT_EQ(supported_digits({0.0004}), 5);
  EXPECT_EQ(supported_digits({0.012, 0.013, 9}), 3);
  EXPECT_EQ(supported_digits({}), 4);
  EXPECT_EQ(p_text(1e-20), "p < 1e-16");
  EXPECT_EQ(p_text(0.0312), "p = 0.031");
}

}  // namespace
}  // namespace divns
