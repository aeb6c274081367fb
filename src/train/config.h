// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "train/loss.h"
#include "train/optimizer.h"

namespace divns {

class Options;

enum class PairOrder { kShuffle, kUserUniform };
enum class Initialisation { kXavier, kNormal };

// When to evaluate and when to stop, as different sources do it.
enum class Protocol { kPaper, kRel, kMixGcf };

struct TrainConfig {
  std::string model = "mf";
  std::string sampler = "rns";
  int embedding_dim = 64;
  int epochs = 1000;
  int batch_size = 2048;
  int negatives = 1;
  uint64_t seed = 1;
  OptimizerOptions optimizer;
  LossOptions loss;
  Initialisation init = Initialisation::kXavier;
  double init_std = 0.1;
  PairOrder pairs = PairOrder::kShuffle;
  bool drop_last = false;
  Protocol protocol = Protocol::kPaper;
  int eval_every = 5;
  bool eval_first = false;
  int patience_epochs = 20;
  // Users whose negatives are described in the reports; never changes the result.
  int diagnostics_users = 500;
  // Pairs of sampler and model that no paper claims.
  bool allow_extensions = false;

  void declare(Options& options);
  // Lets the protocol set what was not set otherwise. Call when everything else is parsed.
  void apply_protocol(Options& options) const;
};

}  // namespace divns
