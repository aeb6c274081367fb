// SPDX-License-Identifier: Apache-2.0
#include "train/setup.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/options.h"
#include "models/registry.h"
#include "samplers/registry.h"

namespace divns {

TrainingSetup::TrainingSetup() {
  for (const ModelEntry& entry : models()) models_.push_back(entry.make());
  for (const SamplerEntry& entry : samplers()) samplers_.push_back(entry.make());
  for (const FittedModelEntry& entry : fitted_models()) fitted_models_.push_back(entry.make());
}

void TrainingSetup::declare(Options& options) {
  config_.declare(options);
  for (const auto& model : models_) model->declare(options);
  for (const auto& sampler : samplers_) sampler->declare(options);
  for (const auto& model : fitted_models_) model->declare(options);
}

bool TrainingSetup::is_fitted() const {
  return find_fitted_model(config_.model) != nullptr;
}

void TrainingSetup::resolve(Options& options) {
  config_.apply_protocol(options);
  if (is_fitted()) {
    config_.sampler.clear();
    return;
  }
  find_model(config_.model);
  const SamplerEntry& sampler = find_sampler(config_.sampler);
  if (config_.model == "mf" && !sampler.fits_mf && !config_.allow_extensions)
    fail(
        "the sampler '{}' was published for graph models and does not go with mf. Choose --model "
        "lightgcn, or --allow-extensions to try it all the same.",
        config_.sampler);
}

std::string TrainingSetup::config_text(const Options& options, const TrainConfig& config) {
  // Rows of to_toml() are "name = value"; of "owner.option" rows only the owners in use matter.
  const bool fitted = find_fitted_model(config.model) != nullptr;
  const auto is_used = [&](std::string_view name) {
    const std::string_view owner = name.substr(0, name.find('.'));
    if (fitted) return name == "model" || name == "seed" || owner == config.model;
    if (owner == name || owner == config.model || owner == config.sampler) return true;
    const auto is_owner = [&](const auto& entry) { return entry.name == owner; };
    return std::none_of(models().begin(), models().end(), is_owner) &&
           std::none_of(samplers().begin(), samplers().end(), is_owner) &&
           std::none_of(fitted_models().begin(), fitted_models().end(), is_owner);
  };
  // What never changes the result stays out.
  constexpr std::string_view kNotPartOfTheResult[] = {
      "threads",          "quiet", "json", "data", "out", "resume", "checkpoint_seconds",
      "diagnostics_users"};
  std::string text;
  const std::string all = options.to_toml();
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = all.find('\n', begin) + 1;
    const std::string_view line = std::string_view(all).substr(begin, end - begin);
    const std::string_view name = line.substr(0, line.find(" = "));
    const bool kept = std::find(std::begin(kNotPartOfTheResult), std::end(kNotPartOfTheResult),
                                name) == std::end(kNotPartOfTheResult);
    if (kept && is_used(name)) text += line;
    begin = end;
  }
  return text;
}

std::unique_ptr<Model> TrainingSetup::take_model() {
  const auto index = static_cast<size_t>(&find_model(config_.model) - models().data());
  return std::move(models_[index]);
}

std::unique_ptr<Sampler> TrainingSetup::take_sampler() {
  const auto index = static_cast<size_t>(&find_sampler(config_.sampler) - samplers().data());
  return std::move(samplers_[index]);
}

std::unique_ptr<FittedModel> TrainingSetup::take_fitted_model() {
  const auto index = static_cast<size_t>(find_fitted_model(config_.model) - fitted_models().data());
  return std::move(fitted_models_[index]);
}

}  // namespace divns
