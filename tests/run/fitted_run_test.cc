// SPDX-License-Identifier: Apache-2.0
#include "run/fitted_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "divns/model.h"
#include "divns/options.h"
#include "models/registry.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/temp_folder.h"
#include "train/setup.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

struct Fit {
  explicit Fit(const std::string& name, const std::string& seed = "1") {
    setup.declare(options);
    options.set("model", name, OptionSource::kSet);
    options.set("seed", seed, OptionSource::kSet);
    setup.resolve(options);
  }

  RunResult run(const fs::path& folder, bool resume = false, bool keep_model = true) {
    const RunRequest request{.folder = folder,
                             .resume = resume,
                             .config = setup.config(),
                             .config_text = TrainingSetup::config_text(options, setup.config()),
                             .keep_model = keep_model};
    // Different for each id: one to forty letters.
    const std::string letters(40, 'x');
    const auto name = [&](uint32_t id) { return std::string_view(letters).substr(id); };
    const RunData data{pairs.view(), "hash", "data", name, name, name};
    const auto model = setup.take_fitted_model();
    const auto validate = [this](const Scorer& scorer) {
      ++validations;
      return scorer.has_vectors() ? 0.25 : 0.5;
    };
    return run_fitting(request, data, *model, validate, Executor(2), {});
  }

  testing::OwnedInteractions pairs = testing::random_interactions(40, 30, 5, 1);
  TrainingSetup setup;
  Options options;
  int validations = 0;
};

TEST(FittedRun, LeavesAModelOfVectors) {
  for (const std::string name : {"popularity", "ials"}) {
    const testing::TempFolder folder;
    Fit fit(name);
    const RunResult result = fit.run(folder.path() / "run");
    EXPECT_TRUE(result.finished);
    EXPECT_TRUE(result.validated);
    EXPECT_EQ(result.best_metric, 0.25);
    const TrainedModel model = TrainedModel::load(folder.path() / "run");
    EXPECT_EQ(model.model_name(), name);
    EXPECT_EQ(model.sampler_name(), "");
    EXPECT_EQ(model.users(), 40U);
    EXPECT_EQ(model.item_vectors().dim, name == "ials" ? 64U : 1U);
  }
}

TEST(FittedRun, LeavesAModelOfItemWeights) {
  const testing::TempFolder folder;
  Fit fit("ease");
  EXPECT_EQ(fit.run(folder.path() / "run").best_metric, 0.5);
  const TrainedModel model = TrainedModel::load(folder.path() / "run");
  EXPECT_EQ(model.model_name(), "ease");
  EXPECT_EQ(model.item_weights().rows, 30U);
  EXPECT_TRUE(std::ranges::equal(model.histories().items, fit.pairs.items));
  EXPECT_TRUE(std::ranges::equal(model.histories().offsets, fit.pairs.offsets));
}

TEST(FittedRun, WithoutAModelTheMetricsSayThatItIsDone) {
  const testing::TempFolder folder;
  const fs::path run = folder.path() / "run";
  EXPECT_EQ(Fit("ease").run(run, false, false).best_metric, 0.5);
  EXPECT_TRUE(fs::exists(run / "metrics.json"));
  EXPECT_FALSE(fs::exists(run / "model.safetensors"));
  EXPECT_ERROR(TrainedModel::load(run), "divns train --config");
  Fit again("ease");
  const RunResult result = again.run(run, true, false);
  EXPECT_TRUE(result.finished && result.resumed);
  EXPECT_EQ(result.best_metric, 0.5);
  EXPECT_EQ(again.validations, 0);
}

TEST(FittedRun, WhatWasKilledStartsAgain) {
  const testing::TempFolder folder;
  const fs::path run = folder.path() / "run";
  Fit("ials").run(run);
  const std::string whole = read_text_file(run / "model.safetensors");
  fs::remove(run / "model.safetensors");
  const RunResult result = Fit("ials").run(run, true);
  EXPECT_FALSE(result.resumed);
  EXPECT_EQ(read_text_file(run / "model.safetensors"), whole);
}

TEST(FittedRun, RefusesTheFolderOfAnother) {
  const testing::TempFolder folder;
  Fit("ials").run(folder.path() / "run");
  EXPECT_ERROR(Fit("ials").run(folder.path() / "run"), "holds a run already");
  EXPECT_ERROR(Fit("ials", "2").run(folder.path() / "run", true), "other options");
}

// Neither the sampler nor the trainer's options are part of what makes two fits equal.
TEST(FittedRun, OnlyItsOwnOptionsMakeAFit) {
  Fit fit("ease");
  EXPECT_EQ(TrainingSetup::config_text(fit.options, fit.setup.config()),
            "model = \"ease\"\nseed = 1\nease.l2 = 500\nease.max_gib = 8\n");
}

}  // namespace
}  // namespace divns
