// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/fitted_model.h"
#include "models/model.h"
#include "samplers/sampler.h"
#include "train/config.h"

namespace divns {

class Options;

// Everything that can be said about a training in one options table: the trainer's own options and
// those of every model and sampler, whichever will be used. The model may also be one that is
// fitted (see FittedModel); then neither the sampler nor the trainer's options matter.
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
  bool is_fitted() const;
  // The resolved options that matter to this model and sampler, as TOML: what makes two runs equal.
  static std::string config_text(const Options& options, const TrainConfig& config);
  // Of the names in the config; once each. Where is_fitted(), only the last has something to give.
  std::unique_ptr<Model> take_model();
  std::unique_ptr<Sampler> take_sampler();
  std::unique_ptr<FittedModel> take_fitted_model();

 private:
  TrainConfig config_;
  std::vector<std::unique_ptr<Model>> models_;      // in the order of the registry
  std::vector<std::unique_ptr<Sampler>> samplers_;  // likewise
  std::vector<std::unique_ptr<FittedModel>> fitted_models_;
};

}  // namespace divns
