// SPDX-License-Identifier: Apache-2.0
#include "run/run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "divns/options.h"
#include "support/interactions.h"
#include "support/temp_folder.h"
#include "train/setup.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

RunResult train_into(const fs::path& folder, bool resume, const TrainCallbacks& hooks) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  for (const char* assignment : {"epochs=6", "batch_size=32", "embedding_dim=8"})
    options.set_assignment(assignment, OptionSource::kSet);
  setup.resolve(options);
  const testing::OwnedInteractions pairs = testing::random_interactions(40, 30, 5, 1);
  const std::string letters(40, 'x');
  const auto name = [&](uint32_t id) { return std::string_view(letters).substr(id); };
  const RunData data{pairs.view(), "hash", "data", name, name, name};
  const RunRequest request{folder, resume, 0, setup.config(),
                           TrainingSetup::config_text(options, setup.config())};
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
  return train_into(folder, false, hooks);
}

TEST(Run, StoppedItEndsTheEpochOrAfterTheGraceAbandonsIt) {
  const testing::TempFolder folder;
  EXPECT_EQ(stopped_in_epoch_3(folder.path() / "patient", 3600).epochs, 4U);
  EXPECT_EQ(stopped_in_epoch_3(folder.path() / "hasty", 0).epochs, 3U);
}

TEST(Run, StoppedEitherWayItEndsWithTheSameBits) {
  const testing::TempFolder folder;
  EXPECT_TRUE(train_into(folder.path() / "whole", false, {}).finished);
  const std::string whole = read_text_file(folder.path() / "whole" / "model.safetensors");
  for (const double grace_seconds : {0.0, 3600.0}) {
    const fs::path run = folder.path() / std::to_string(grace_seconds);
    EXPECT_FALSE(stopped_in_epoch_3(run, grace_seconds).finished);
    const RunResult result = train_into(run, true, {});
    EXPECT_TRUE(result.finished && result.resumed);
    EXPECT_EQ(read_text_file(run / "model.safetensors"), whole);
  }
}

}  // namespace
}  // namespace divns
