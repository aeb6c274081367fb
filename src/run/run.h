// SPDX-License-Identifier: Apache-2.0
// A training as a folder: config.toml, run.json (data hash, seed, version, machine), events.jsonl
// (one line per epoch), checkpoint.safetensors while it runs, metrics.json and model.safetensors
// when it is done. It can be killed at any moment and resumed, and the model has the same bits as
// if it had never stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "distributed/communicator.h"
#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/train.h"
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
  // The model that the training begins with (divns/train.h), or null.
  const TrainedModel* initial_model = nullptr;
  // Models that are fitted: whether to write the model file.
  bool keep_model = true;
  bool keep_checkpoint = false;  // of a finished run, so that more epochs can be added
  // For trainings over blocks: the folder that blocks on disk are kept in (empty: they are kept in
  // memory), and the processes that share the work (null: this one alone).
  std::filesystem::path scratch = {};
  Communicator* ranks = nullptr;
};

// Runs the epochs of a trainer, and writes the folder.
RunResult run_epochs(const RunRequest& request, const RunData& data, EpochTrainer& trainer,
                     const Executor& executor, const TrainCallbacks& hooks);

RunResult run_training(const RunRequest& request, const RunData& data, TrainerParts parts,
                       Validate validate, const Executor& executor, const TrainCallbacks& hooks);

}  // namespace divns
