// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/model.h"
#include "samplers/sampler.h"
#include "train/config.h"

namespace divns {

class Options;

// Everything that can be said about a training in one options table: the trainer's own options and
// those of every model and sampler, whichever will be used.
//
//   TrainingSetup setup;
//   Options options;
//   setup.declare(options);
//   options.set("sampler", "divns", OptionSource::kSet);
//   setup.resolve(options);
//   Trainer trainer(setup.config(), setup.take_model(), setup.take_sampler(), ...);
class TrainingSetup {
 public:
  TrainingSetup();

  void declare(Options& options);
  // When all is parsed: applies the protocol and refuses names that do not exist or do not go
  // together.
  void resolve(Options& options);

  const TrainConfig& config() const { return config_; }
  // The resolved options that matter to this model and sampler, as TOML: what makes two runs equal.
  static std::string config_text(const Options& options, const TrainConfig& config);
  // Of the names in the config; once each.
  std::unique_ptr<Model> take_model();
  std::unique_ptr<Sampler> take_sampler();

 private:
  TrainConfig config_;
  std::vector<std::unique_ptr<Model>> models_;      // in the order of the registry
  std::vector<std::unique_ptr<Sampler>> samplers_;  // likewise
};

}  // namespace divns
