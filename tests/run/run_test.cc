// SPDX-License-Identifier: Apache-2.0
#include "run/run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "divns/options.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/temp_folder.h"
#include "train/setup.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

struct Asked {
  bool resume = false;
  bool keep_checkpoint = false;
  std::vector<std::string> settings = {};
};

RunResult train_into(const fs::path& folder, const Asked& asked, const TrainCallbacks& hooks = {}) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  for (const char* assignment : {"epochs=6", "batch_size=32", "embedding_dim=8"})
    options.set_assignment(assignment, OptionSource::kSet);
  for (const std::string& assignment : asked.settings)
    options.set_assignment(assignment, OptionSource::kSet);
  setup.resolve(options);
  const testing::OwnedInteractions pairs = testing::random_interactions(40, 30, 5, 1);
  const std::string letters(40, 'x');
  const auto name = [&](uint32_t id) { return std::string_view(letters).substr(id); };
  const RunData data{pairs.view(), "hash", "data", name, name, name};
  RunRequest request{folder, asked.resume, 0, setup.config(),
                     TrainingSetup::config_text(options, setup.config())};
  request.keep_checkpoint = asked.keep_checkpoint;
  return run_training(request, data, setup.take_parts(), {}, Executor(2), hooks);
}

// Stops the run in the middle of epoch 3.
RunResult stopped_in_epoch_3(const fs::path& folder, double grace_seconds) {
  std::atomic<bool> stop = false;
  TrainCallbacks hooks;
  hooks.on_progress = [&](uint32_t epoch, double share) {
    if (epoch == 3 && share > 0.3) stop = true;
  };
  hooks.stop = &stop;
  hooks.grace_seconds = grace_seconds;
  return train_into(folder, {}, hooks);
}

TEST(Run, StoppedItEndsTheEpochOrAfterTheGraceAbandonsIt) {
  const testing::TempFolder folder;
  EXPECT_EQ(stopped_in_epoch_3(folder.path() / "patient", 3600).epochs, 4U);
  EXPECT_EQ(stopped_in_epoch_3(folder.path() / "hasty", 0).epochs, 3U);
}

TEST(Run, StoppedEitherWayItEndsWithTheSameBits) {
  const testing::TempFolder folder;
  EXPECT_TRUE(train_into(folder.path() / "whole", {}).finished);
  const std::string whole = read_text_file(folder.path() / "whole" / "model.safetensors");
  for (const double grace_seconds : {0.0, 3600.0}) {
    const fs::path run = folder.path() / std::to_string(grace_seconds);
    EXPECT_FALSE(stopped_in_epoch_3(run, grace_seconds).finished);
    const RunResult result = train_into(run, {.resume = true});
    EXPECT_TRUE(result.finished && result.resumed);
    EXPECT_EQ(read_text_file(run / "model.safetensors"), whole);
  }
}

TEST(Run, WithMoreEpochsAFinishedRunContinuesToTheSameBits) {
  const testing::TempFolder folder;
  const fs::path whole = folder.path() / "whole";
  const fs::path run = folder.path() / "run";
  train_into(whole, {.settings = {"epochs=9"}});
  train_into(run, {.keep_checkpoint = true});
  std::ofstream(run / "metrics_test.json") << "of the model after 6 epochs";
  const RunResult result = train_into(run, {.resume = true, .settings = {"epochs=9"}});
  EXPECT_TRUE(result.finished && result.resumed);
  EXPECT_EQ(result.epochs, 9U);
  for (const char* name : {"model.safetensors", "config.toml"})
    EXPECT_EQ(read_text_file(run / name), read_text_file(whole / name)) << name;
  EXPECT_FALSE(fs::exists(run / "metrics_test.json"));
  EXPECT_FALSE(fs::exists(run / "checkpoint.safetensors"));
}

// The process was killed when the old model was gone and the new epochs had not begun.
TEST(Run, KilledBeforeTheNewEpochsItHasItsOldModelAgain) {
  const testing::TempFolder folder;
  const fs::path run = folder.path() / "run";
  train_into(run, {.keep_checkpoint = true});
  const std::string model = read_text_file(run / "model.safetensors");
  fs::remove(run / "model.safetensors");
  EXPECT_EQ(train_into(run, {.resume = true}).epochs, 6U);
  EXPECT_EQ(read_text_file(run / "model.safetensors"), model);
}

TEST(Run, EpochsAreAddedOnlyToTheSameTrainingWithACheckpoint) {
  const testing::TempFolder folder;
  const fs::path run = folder.path() / "run";
  train_into(run, {});
  const std::string model = read_text_file(run / "model.safetensors");
  EXPECT_ERROR(train_into(run, {.resume = true, .settings = {"epochs=9"}}), "no checkpoint");
  EXPECT_EQ(read_text_file(run / "model.safetensors"), model);
  const fs::path kept = folder.path() / "kept";
  train_into(kept, {.keep_checkpoint = true});
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"epochs=5"}, {"epochs=9", "learning_rate=0.5"}})
    EXPECT_ERROR(train_into(kept, {.resume = true, .settings = other}), "other options");
  const fs::path scheduled = folder.path() / "scheduled";
  train_into(scheduled, {.keep_checkpoint = true, .settings = {"schedule=cosine"}});
  EXPECT_ERROR(train_into(scheduled, {.resume = true, .settings = {"schedule=cosine", "epochs=9"}}),
               "schedule");
}

}  // namespace
}  // namespace divns
