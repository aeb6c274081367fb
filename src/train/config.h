// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "divns/loss.h"
#include "divns/sampler.h"
#include "train/optimizer.h"
#include "train/row_math.h"

namespace divns {

class Options;

enum class PairOrder { kShuffle, kUserUniform };
enum class Initialisation { kXavier, kNormal, kSvd };

// Values that a name stands for, of options that are not set otherwise.
enum class TrainPreset { kNone, kAuthors, kFast };

// When to evaluate and when to stop, as in different publications.
enum class Protocol { kPaper, kRel, kMixGcf };

struct TrainConfig {
  std::string model = "mf";
  std::string sampler = "rns";
  std::string loss = "bpr";
  int embedding_dim = 64;
  int epochs = 1000;
  int batch_size = 2048;
  int negatives = 1;
  uint64_t seed = 1;
  OptimizerOptions optimizer;
  ObjectiveOptions objective;
  // Of the learning rate; warm-up included in the epochs.
  RateDecay schedule = RateDecay::kConstant;
  double warmup_epochs = 0;
  Initialisation init = Initialisation::kXavier;
  double init_std = 0.1;
  PairOrder pairs = PairOrder::kShuffle;
  bool drop_last = false;
  std::string blocks = "1x1";
  Protocol protocol = Protocol::kPaper;
  std::string valid_metric = "recall@20";
  int eval_every = 5;
  bool eval_first = false;
  int patience_epochs = 20;
  // Number of users whose negatives are described in the reports. Does not change the result.
  int diagnostics_users = 500;
  TrainPreset preset = TrainPreset::kNone;
  std::string item_groups;  // file of the groups of items, for samplers that use them
  // Number of users whose items are recorded for the map of a report. Does not change the result.
  int record_users = 0;
  // Allows combinations of sampler and model that were never published.
  bool allow_extensions = false;

  void declare(Options& options);
  // Whether a validation is due after this epoch (counted from 0).
  bool validates_after(uint32_t epoch) const {
    return (epoch % static_cast<uint32_t>(eval_every) == 0 && (epoch > 0 || eval_first)) ||
           epoch + 1 == static_cast<uint32_t>(epochs);
  }
  // Batches of an epoch over this many rows.
  size_t batches_over(size_t rows) const {
    const auto size = static_cast<size_t>(batch_size);
    return drop_last ? rows / size : (rows + size - 1) / size;
  }
  // Sets what preset = fast implies and nothing else has set; then what the protocol implies. Call
  // after all other options are parsed.
  static void apply_fast(Options& options);
  void apply_protocol(Options& options) const;
  // The options of the optimizer with the schedule for epochs of so many batches.
  OptimizerOptions scheduled_optimizer(size_t batches) const;
  // What the loss of such a training is told.
  LossContext loss_context(const Interactions& train, const Sampler& used) const;
};

}  // namespace divns
