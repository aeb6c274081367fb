// SPDX-License-Identifier: Apache-2.0
#include "study/reproduce.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/json.h"
#include "study/reproduce_parts.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "synth/dataset_folder.h"

namespace divns {
namespace {

// One small synthetic dataset that goes by a name of the paper, for all tests of this file.
class Reproduce : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TempFolder;
    SynthOptions options;
    options.users = 60;
    options.items = 90;
    options.pairs = 1200;
    options.clusters = 5;
    options.latent_dim = 4;
    const Executor executor(2);
    write_synth_dataset(generate_synth(options, executor), "{}", folder_->path() / "ml-1m.divns",
                        {}, false, executor);
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  static ReproduceRequest request(const std::string& name) {
    return {.name = name,
            .datasets = find_prepared({folder_->path().string()}),
            .runs = folder_->path() / "runs",
            .quick = true,
            .settings = {{"embedding_dim", "8"}, {"epochs", "2"}, {"batch_size", "256"}}};
  }
  // Writes and reads back; every file is there and well-formed.
  static Json written(const Reproduction& done) {
    const testing::TempFolder out;
    write_reproduction(out.path() / "new", done);
    const auto read = [&](const char* ending) {
      return read_text_file(out.path() / "new" / (done.paper.name + ending));
    };
    EXPECT_NE(read(".md").find(done.paper.source), std::string::npos);
    EXPECT_NE(read(".tex").find("\\begin{tabular}"), std::string::npos);
    EXPECT_EQ(read(".csv"), to_csv(done.data));
    EXPECT_TRUE(parse_json(read(".vl.json")).contains("data"));
    EXPECT_GT(done.data.rows().size(), 0U);
    return parse_json(read(".json"));
  }
  static const ReproducedFigure* find(const Reproduction& done, const std::string& model,
                                      const std::string& sampler, const std::string& setting,
                                      const std::string& metric) {
    for (const ReproducedFigure& figure : done.figures)
      if (figure.model == model && figure.sampler == sampler && figure.setting == setting &&
          figure.metric == metric)
        return &figure;
    return nullptr;
  }

  static testing::TempFolder* folder_;
};
testing::TempFolder* Reproduce::folder_ = nullptr;

TEST_F(Reproduce, TableUtility) {
  const Reproduction done = run_reproduction(request("table-utility"));
  ASSERT_TRUE(done.complete);
  EXPECT_EQ(done.figures.size(), 18U * 4);
  const ReproducedFigure* divns = find(done, "mf", "divns", "", "recall@20");
  ASSERT_NE(divns, nullptr);
  EXPECT_EQ(divns->paper, 0.2393);
  EXPECT_GT(divns->value, 0);
  EXPECT_LT(divns->value, 1);
  EXPECT_DOUBLE_EQ(*divns->ratio(), divns->value / 0.2393);
  ASSERT_EQ(done.tables.size(), 1U);
  // Eight and ten samplers, and how far DivNS is ahead of the others.
  EXPECT_EQ(done.tables[0].rows().size(), 20U);
  const auto& improvement = done.tables[0].rows()[8];
  EXPECT_EQ(*improvement[1].text(), "divns over best other");
  EXPECT_EQ(improvement[3].figure()->value, 3.65);
  double best = 0;
  for (const ReproducedFigure& figure : done.figures)
    if (figure.model == "mf" && figure.metric == "ndcg@10" && figure.sampler != "divns")
      best = std::max(best, figure.value);
  EXPECT_DOUBLE_EQ(improvement[2].figure()->value,
                   100 * (find(done, "mf", "divns", "", "ndcg@10")->value / best - 1));

  const std::string text = to_text(done);
  EXPECT_NE(text.find("QUICK"), std::string::npos);
  EXPECT_NE(text.find("not the paper's dataset: 60 users"), std::string::npos);
  EXPECT_NE(text.find("Not given: amazon-beauty, pinterest, yelp-2022"), std::string::npos);
  const Json record = written(done);
  EXPECT_EQ(record["runs"].size(), 18U);
  EXPECT_EQ(record["figures"].size(), done.figures.size());
  EXPECT_NE(record["runs"][0]["config"].get<std::string>().find("embedding_dim = 8"),
            std::string::npos);
}

TEST_F(Reproduce, RunsThatAreThereAreTaken) {
  ReproduceRequest asked = request("table-ablation");
  const Reproduction first = run_reproduction(asked);
  EXPECT_EQ(first.figures.size(), 8U);
  size_t reports = 0;
  asked.hooks.on_progress = [&](const StudyProgress& progress) {
    reports += progress.current.find("epoch") != std::string::npos;
  };
  const Reproduction again = run_reproduction(asked);
  EXPECT_EQ(reports, 0U) << "something was trained again";
  EXPECT_EQ(again.record, first.record);
  written(again);
}

TEST_F(Reproduce, TableCacheRatioAndFigureLambdaSetTheirOption) {
  const Reproduction ratios = run_reproduction(request("table-cache-ratio"));
  EXPECT_EQ(ratios.figures.size(), 8U * 2);
  EXPECT_EQ(find(ratios, "mf", "divns", "divns.cache_ratio=4", "recall@20")->paper, 0.2408);
  const Json record = written(ratios);
  EXPECT_NE(record["runs"][0]["config"].get<std::string>().find("divns.cache_ratio = 1"),
            std::string::npos);

  const Reproduction lambda = run_reproduction(request("figure-lambda"));
  EXPECT_EQ(lambda.figures.size(), 5U * 2);
  EXPECT_EQ(find(lambda, "lightgcn", "divns", "divns.lambda=0.7", "ndcg@20")->paper, 0.3485);
  EXPECT_FALSE(find(lambda, "lightgcn", "divns", "divns.lambda=0.9", "ndcg@20")->paper);
  EXPECT_EQ(lambda.chart.kind, ChartKind::kLine);
  EXPECT_NE(to_text(lambda).find("The paper says: Performance improves"), std::string::npos);
  written(lambda);
}

TEST_F(Reproduce, FigureSampling) {
  const Reproduction done = run_reproduction(request("figure-sampling"));
  EXPECT_EQ(done.figures.size(), 3U * 2);
  written(done);
}

TEST_F(Reproduce, DiversityNeverOpensTheTestPart) {
  ReproduceRequest asked = request("figure-diversity");
  const testing::TempFolder fresh;
  asked.runs = fresh.path() / "runs";
  const auto sealed = asked.datasets[0].folder;
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> moved;
  for (const auto& entry : std::filesystem::directory_iterator(sealed))
    if (entry.path().filename().string().find("test") != std::string::npos)
      moved.emplace_back(entry.path(), fresh.path() / entry.path().filename());
  ASSERT_FALSE(moved.empty());
  for (const auto& [from, to] : moved) std::filesystem::rename(from, to);
  const Reproduction done = run_reproduction(asked);
  for (const auto& [from, to] : moved) std::filesystem::rename(to, from);
  EXPECT_EQ(done.figures.size(), 4U);
  EXPECT_GT(find(done, "lightgcn", "divns", "", "diversity")->value, 0);
  written(done);
}

TEST_F(Reproduce, TableDiversity) {
  ReproduceRequest asked = request("table-diversity");
  asked.samplers = {"rns", "divns"};
  const Reproduction done = run_reproduction(asked);
  EXPECT_EQ(done.figures.size(), 4U);
  EXPECT_EQ(find(done, "lightgcn", "divns", "", "diversity")->paper, 0.248);
  // Mixtures are more alike than what they are mixed from.
  EXPECT_GT(find(done, "lightgcn", "divns", "", "item_diversity")->value,
            find(done, "lightgcn", "divns", "", "diversity")->value);
  written(done);
}

TEST_F(Reproduce, TableRuntime) {
  const Reproduction done = run_reproduction(request("table-runtime"));
  EXPECT_EQ(done.figures.size(), 5U);
  for (const ReproducedFigure& figure : done.figures) {
    EXPECT_GT(figure.value, 0);
    EXPECT_TRUE(figure.paper);
  }
  EXPECT_NE(to_text(done).find("NVIDIA P100"), std::string::npos);
  EXPECT_NE(to_text(done).find("mean of 2 epochs"), std::string::npos);
  written(done);
}

TEST_F(Reproduce, TableDatasets) {
  const Reproduction done = run_reproduction(request("table-datasets"));
  ASSERT_EQ(done.figures.size(), 4U);
  EXPECT_EQ(done.figures[0].value, 60);
  EXPECT_EQ(done.figures[0].paper, 6040);
  EXPECT_NEAR(done.figures[3].value, 100.0 * 1200 / (60 * 90), 1e-9);
  written(done);
}

TEST_F(Reproduce, FigureToySpreadsOverMoreClusters) {
  const Reproduction done = run_reproduction({.name = "figure-toy"});
  ASSERT_EQ(done.figures.size(), 4U);
  EXPECT_GT(done.figures[2].value, done.figures[0].value + 0.5);
  EXPECT_GT(done.figures[3].value, done.figures[1].value);
  EXPECT_EQ(done.data.rows().size(), 800U);
  written(done);
}

TEST_F(Reproduce, FigureMap) {
  const Reproduction done = run_reproduction(request("figure-map"));
  ASSERT_EQ(done.tables.size(), 1U);
  EXPECT_GT(done.figures[0].value, 0);
  EXPECT_NE(done.record.find("epochs = 2"), std::string::npos);
  EXPECT_EQ(static_cast<double>(done.data.rows().size()),
            done.tables[0].rows()[0][1].figure()->value);
  written(done);
}

TEST_F(Reproduce, OnlyTimingsAreCutShort) {
  const auto config = [&](const char* name) {
    ReproduceRequest asked = request(name);
    asked.quick = false;
    asked.settings = {};
    const OpenDataset dataset{"ml-1m", Dataset::open(asked.datasets[0].folder)};
    return plan_reproduction(asked, paper_table(name), dataset).at(0).run.config;
  };
  EXPECT_NE(config("table-runtime").find("\nepochs = 10\n"), std::string::npos);
  EXPECT_NE(config("figure-lambda").find("\nepochs = 1000\n"), std::string::npos);
  // The paper's Table 4.
  EXPECT_NE(config("table-cache-ratio").find("\nl2 = 0.001\n"), std::string::npos);
}

TEST_F(Reproduce, SeveralSeedsHaveASpread) {
  ReproduceRequest asked = request("table-ablation");
  asked.quick = false;
  asked.seeds = 3;
  asked.models = {"mf"};
  const Reproduction done = run_reproduction(asked);
  ASSERT_EQ(done.figures.size(), 4U);
  EXPECT_GT(*done.figures[0].sd, 0);
  EXPECT_EQ(done.record.find("QUICK"), std::string::npos);
}

TEST_F(Reproduce, StopsAndGoesOn) {
  ReproduceRequest asked = request("table-ablation");
  const testing::TempFolder fresh;
  asked.runs = fresh.path() / "runs";
  std::atomic<bool> stop = true;
  asked.hooks.stop = &stop;
  EXPECT_FALSE(run_reproduction(asked).complete);
  stop = false;
  EXPECT_EQ(run_reproduction(asked).record, run_reproduction(request("table-ablation")).record);
}

TEST_F(Reproduce, OwnDataGoByTheirOwnName) {
  ReproduceRequest asked = request("table-ablation");
  asked.datasets[0].name = "my-shop";
  asked.models = {"mf"};
  const Reproduction done = run_reproduction(asked);
  EXPECT_FALSE(done.figures[0].paper);
  EXPECT_NE(to_text(done).find("no dataset 'my-shop'"), std::string::npos);
  written(done);
}

TEST_F(Reproduce, Refusals) {
  EXPECT_ERROR(run_reproduction({.name = "table-utilities"}), "Did you mean 'table-utility'");
  EXPECT_ERROR(run_reproduction({.name = "table-utility"}), "needs a prepared dataset");
  EXPECT_ERROR(find_prepared({"/nowhere"}), "neither a prepared dataset nor a folder");
  EXPECT_ERROR(find_prepared({"a=x", "a=y"}), "two datasets are called 'a'");
  ReproduceRequest asked = request("table-runtime");
  asked.samplers = {"dsn"};
  EXPECT_ERROR(run_reproduction(asked), "Did you mean 'dns'");
  asked.samplers = {"pns"};
  EXPECT_ERROR(run_reproduction(asked), "no row");
}

TEST_F(Reproduce, DatasetsInTheOrderOfThePaper) {
  const auto found = find_prepared({"shop=s", "yelp-2022=y", "amazon-beauty=b"});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, "amazon-beauty");
  EXPECT_EQ(found[1].name, "yelp-2022");
  EXPECT_EQ(found[2].name, "shop");
  EXPECT_EQ(find_prepared({folder_->path().string()})[0].name, "ml-1m");
  EXPECT_EQ(find_prepared({(folder_->path() / "ml-1m.divns").string() + "/"})[0].name, "ml-1m");
}

}  // namespace
}  // namespace divns
