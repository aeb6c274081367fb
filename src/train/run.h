// SPDX-License-Identifier: Apache-2.0
// A training as a folder: config.toml, run.json (data hash, seed, version, machine), events.jsonl
// (one line an epoch), checkpoint.safetensors while it runs, metrics.json and model.safetensors
// when it is done. It can be killed at any moment and resumed, and the model has the same bits as
// if it had never stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/parallel.h"
#include "divns/interactions.h"
#include "train/trainer.h"

namespace divns {

struct RunData {
  Interactions train;
  std::string hash;
  std::filesystem::path folder;  // kept in run.json, so that later verbs find the dataset
  std::function<std::string_view(uint32_t)> user_id;
  std::function<std::string_view(uint32_t)> item_id;
  std::function<std::string_view(uint32_t)> item_name;
  KnownLikes known = {};
};

struct RunRequest {
  std::filesystem::path folder;
  bool resume = false;
  // Seconds from one checkpoint to the next; 0 writes one after every epoch.
  double checkpoint_seconds = 30;
  TrainConfig config;
  std::string config_text;  // resolved options, as TOML
  // Stop after so many epochs in all, with a checkpoint; resuming goes on from there.
  std::optional<uint32_t> pause_after = {};
};

struct RunHooks {
  std::function<void(const EpochReport&)> on_epoch;
  // Epoch under way and the share of it that is done; called often.
  std::function<void(uint32_t epoch, double share)> on_progress;
  // When it becomes true the run ends after the epoch under way, with a checkpoint. An epoch that
  // is not over `grace_seconds` later is abandoned: resuming begins it anew.
  const std::atomic<bool>* stop = nullptr;
  double grace_seconds = 5;
};

struct RunResult {
  bool finished = false;  // false: stopped or paused, to be resumed
  bool resumed = false;
  uint32_t epochs = 0;
  bool validated = false;
  double best_metric = 0;
  uint32_t best_epoch = 0;
  double last_loss = 0;  // mean over the batches of the last epoch
  PhaseSeconds seconds;  // of all epochs, before a resume as well
};

RunResult run_training(const RunRequest& request, const RunData& data, std::unique_ptr<Model> model,
                       std::unique_ptr<Sampler> sampler, Validate validate,
                       const Executor& executor, const RunHooks& hooks);

}  // namespace divns
