// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "divns/loss.h"
#include "divns/sampler.h"
#include "divns/settings.h"
#include "models/fitted_model.h"
#include "models/model.h"
#include "train/config.h"
#include "train/initial_rows.h"
#include "train/training_state.h"

namespace divns {

class Options;

// The parts of a training that are chosen by name.
struct TrainerParts {
  std::unique_ptr<Model> model;
  std::unique_ptr<Sampler> sampler;
  std::unique_ptr<Loss> loss = nullptr;  // null: the loss that the config names, with its defaults
  const Replay* replay = nullptr;        // null: random choices follow from the seed
  TrainingState* state = nullptr;        // moved from; null: a training from its beginning
  const InitialRows* initial = nullptr;  // null: no earlier model to begin with
  SideInputs inputs = {};
};

// All options of a training in one table: those of the trainer and those of every model, sampler
// and loss, whether they are used or not. The model may also be a fitted one (FittedModel); then
// the options of the trainer, the sampler and the loss have no effect.
//
//   TrainingSetup setup;
//   Options options;
//   setup.declare(options);
//   options.set("sampler", "divns", OptionSource::kSet);
//   setup.resolve(options);
//   Trainer trainer(setup.config(), setup.take_parts(), ...);
class TrainingSetup {
 public:
  TrainingSetup();

  void declare(Options& options);
  // Call after everything is parsed. Applies the protocol, and throws Error for names that do not
  // exist and for combinations that cannot be trained.
  void resolve(Options& options);

  const TrainConfig& config() const { return config_; }
  bool is_fitted() const;
  // The resolved options that affect this model, sampler and loss, as TOML. Two runs with the same
  // text have the same result.
  static std::string config_text(const Options& options, const TrainConfig& config);
  // One comment line per input file with the hash of its content, for the same purpose. Throws
  // Error for a file that cannot be read.
  std::string contents_text() const;
  // The objects that the config names; call each at most once. take_parts() is for models that are
  // trained, take_fitted_model() for those that are fitted.
  TrainerParts take_parts();
  std::unique_ptr<FittedModel> take_fitted_model();
  // Further objects with the same options, for a training over blocks. Any number of times.
  TrainerParts make_parts() const;

 private:
  void require_blocks_fit(const Model& model, const Sampler& sampler) const;
  void require_block() const;

  TrainConfig config_;
  Settings given_;                                  // options that do not have their defaults
  std::vector<std::unique_ptr<Model>> models_;      // in the order of the registry
  std::vector<std::unique_ptr<Sampler>> samplers_;  // likewise
  std::vector<std::unique_ptr<Loss>> losses_;       // likewise
  std::vector<std::unique_ptr<FittedModel>> fitted_models_;
};

// Whether a sampler as published can train a model, both with their default options: true unless
// the sampler needs hops that the model does not have. Fitted models go with any sampler.
bool sampler_fits(std::string_view sampler, std::string_view model);

}  // namespace divns
