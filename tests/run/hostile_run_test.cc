// SPDX-License-Identifier: Apache-2.0
// Runs whose folder was changed by somebody else.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/files.h"
#include "divns/options.h"
#include "run/checkpoint.h"
#include "run/run.h"
#include "run/run_events.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/temp_folder.h"
#include "train/setup.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

class HostileRun : public ::testing::Test {
 protected:
  RunResult train(bool resume, std::optional<uint32_t> pause = {}, const char* setting = "seed=1",
                  const std::string& hash = "hash") {
    TrainingSetup setup;
    Options options;
    setup.declare(options);
    for (const char* assignment : {"epochs=4", "batch_size=32", "embedding_dim=8", setting})
      options.set_assignment(assignment, OptionSource::kSet);
    setup.resolve(options);
    const testing::OwnedInteractions pairs = testing::random_interactions(40, 30, 5, 1);
    const std::string letters(40, 'x');
    const auto name = [&](uint32_t id) { return std::string_view(letters).substr(id); };
    const RunData data{pairs.view(), hash, "data", name, name, name};
    RunRequest request{run_, resume, 0, setup.config(),
                       TrainingSetup::config_text(options, setup.config())};
    request.pause_after = pause;
    return run_training(request, data, setup.take_parts(), {}, Executor(1), {});
  }

  testing::TempFolder folder_;
  fs::path run_ = folder_.path() / "run";
};

TEST_F(HostileRun, ResumingTouchesNoFolderWithoutARun) {
  fs::create_directory(run_);
  folder_.write("run/config.toml", "somebody else's");
  folder_.write("run/notes.tmp-1", "also");
  EXPECT_ERROR(train(true), "holds no run, but it holds");
  EXPECT_EQ(read_text_file(run_ / "config.toml"), "somebody else's");
  EXPECT_TRUE(fs::exists(run_ / "notes.tmp-1"));
  folder_.write("run/run.json", "{}");
  EXPECT_ERROR(train(true), "was not written by divns");
}

TEST_F(HostileRun, AnyFlippedBitOfACheckpointIsFound) {
  train(false, 2);
  const fs::path path = run_ / kCheckpointName;
  const std::string whole = read_text_file(path);
  for (size_t at = 8; at < whole.size(); at += 97) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    folder_.write("run/checkpoint.safetensors", flipped);
    EXPECT_NE(testing::error_of([&] { train(true); }), "(no error)") << "byte " << at;
    fs::remove(run_ / "model.safetensors");
  }
  folder_.write("run/checkpoint.safetensors", whole);
  EXPECT_TRUE(train(true).finished);
}

TEST_F(HostileRun, ACheckpointOfAnotherRunIsRefused) {
  train(false, 2);
  const std::string other = read_text_file(run_ / kCheckpointName);
  const std::string events = read_text_file(run_ / kEventsName);
  fs::remove_all(run_);
  train(false, 2, "seed=2");
  folder_.write("run/checkpoint.safetensors", other);
  folder_.write("run/events.jsonl", events);
  EXPECT_ERROR(train(true, {}, "seed=2"), "another seed");
}

TEST_F(HostileRun, LinksInTheFolderAreNotFollowed) {
  train(false, 2);
  folder_.write("precious", "keep me");
  fs::remove(run_ / kEventsName);
  fs::create_symlink("../precious", run_ / kEventsName);
  EXPECT_ERROR(train(true), "symbolic link");
  EXPECT_EQ(read_text_file(folder_.file("precious")), "keep me");
}

TEST_F(HostileRun, EventsThatWereCutAreFound) {
  train(false);
  EXPECT_EQ(read_run_events(run_).size(), 4U);
  const std::string events = read_text_file(run_ / kEventsName);
  folder_.write("run/events.jsonl", events.substr(0, events.find('\n') + 1));
  EXPECT_ERROR(read_run_events(run_), "was changed or removed after the run was finished");
  fs::remove(run_ / kEventsName);
  EXPECT_ERROR(read_run_events(run_), "was changed or removed after the run was finished");
}

TEST_F(HostileRun, MetricsThatWereEditedAreFound) {
  train(false);
  std::string metrics = read_text_file(run_ / "metrics.json");
  metrics.replace(metrics.find("\"epochs\": 4"), 11, "\"epochs\": 9");
  folder_.write("run/metrics.json", metrics);
  EXPECT_ERROR(train(true), "was changed after divns wrote it");
  folder_.write("run/metrics.json", R"({"epochs": 1e300, "last_loss": "none"})");
  EXPECT_ERROR(train(true), "'epochs'");
}

TEST_F(HostileRun, AModelThatIsNotFiniteIsNeverSaved) {
  EXPECT_ERROR(train(false, {}, "learning_rate=1e39"), "diverged");
  EXPECT_FALSE(fs::exists(run_ / "model.safetensors"));
}

}  // namespace
}  // namespace divns
