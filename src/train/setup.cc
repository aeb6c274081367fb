// SPDX-License-Identifier: Apache-2.0
#include "train/setup.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"
#include "divns/options.h"
#include "divns/registry.h"
#include "models/registry.h"
#include "train/block_shape.h"
#include "train/no_negatives.h"

namespace divns {
namespace {

template <class Entry>
size_t index_in(std::span<const Entry> list, const Entry& entry) {
  return static_cast<size_t>(&entry - list.data());
}

// Applies the presets that the options of the sampler in use have for options of the trainer.
void preset_others(std::string_view sampler, Options& options) {
  const auto is_own = [&](std::string_view name) {
    return name.starts_with(sampler) && name.substr(sampler.size()).starts_with('.');
  };
  for (const Option& option : options.all())
    for (const Option::Preset& preset : option.presets())
      if (is_own(option.name()) && !is_own(preset.other) && preset.when == option.value())
        options.set(preset.other, preset.text, OptionSource::kPreset);
}

}  // namespace

TrainingSetup::TrainingSetup() {
  for (const ModelEntry& entry : models()) models_.push_back(entry.make());
  for (const SamplerEntry& entry : samplers()) samplers_.push_back(entry.make());
  for (const LossEntry& entry : losses()) losses_.push_back(entry.make());
  for (const FittedModelEntry& entry : fitted_models()) fitted_models_.push_back(entry.make());
}

void TrainingSetup::declare(Options& options) {
  config_.declare(options);
  std::vector<std::string> names;
  for (const SamplerEntry& entry : samplers()) names.emplace_back(entry.name);
  options.restrict_to("sampler", names);
  names.clear();
  for (const ModelEntry& entry : models()) names.emplace_back(entry.name);
  for (const FittedModelEntry& entry : fitted_models()) names.emplace_back(entry.name);
  options.restrict_to("model", names);
  for (const auto& model : models_) model->declare(options);
  for (const auto& sampler : samplers_) sampler->declare(options);
  for (const auto& loss : losses_) loss->declare(options);
  for (const auto& model : fitted_models_) model->declare(options);
}

bool TrainingSetup::is_fitted() const {
  return find_fitted_model(config_.model) != nullptr;
}

void TrainingSetup::resolve(Options& options) {
  if (config_.preset == TrainPreset::kFast) TrainConfig::apply_fast(options);
  if (!is_fitted() && config_.preset == TrainPreset::kAuthors)
    for (const auto& [name, value] : find_sampler(config_.sampler).authors)
      options.set(name, value, OptionSource::kPreset);
  if (!is_fitted()) preset_others(config_.sampler, options);
  config_.apply_protocol(options);
  if (is_fitted()) {
    config_.sampler.clear();
    config_.loss.clear();
    return;
  }
  if (!losses_[index_in(losses(), find_loss(config_.loss))]->needs_negatives()) {
    if (!parse_block_shape(config_.blocks).is_whole())
      fail("blocks is {}, but the loss '{}' needs whole batches. Train without blocks.",
           config_.blocks, config_.loss);
    config_.sampler.clear();
    return;
  }
  const Model& model = *models_[index_in(models(), find_model(config_.model))];
  const Sampler& sampler = *samplers_[index_in(samplers(), find_sampler(config_.sampler))];
  if (sampler.needs_hops() && model.hops() == 1 && !config_.allow_extensions)
    fail(
        "the sampler '{}' was published for graph models and does not fit {}, which has no graph. "
        "Choose another model, for example --model lightgcn, or add --allow-extensions to train "
        "this pair all the same.",
        config_.sampler, config_.model);
  const ObjectiveOptions& objective = config_.objective;
  if (objective.broadcasts() &&
      (objective.scales_items() || objective.regularise_parts || sampler.reads_single_hops()))
    fail(
        "broadcast_loss and broadcast_regulariser are defined for inner products of whole items. "
        "They do not go with similarity = cosine, unit_items, regularise_parts or a sampler that "
        "mixes single hops (mixgcf, dens, scone); turn one of the two off.");
  if (sampler.shares_negatives()) require_block();
  if (sampler.has_auxiliary_loss() && config_.objective.scales_users())
    fail(
        "the sampler '{}' adds a loss of its own that is defined on inner products and does not "
        "fit similarity = cosine. Choose another sampler, or similarity = inner.",
        config_.sampler);
  if (!parse_block_shape(config_.blocks).is_whole()) require_blocks_fit(model, sampler);
  given_.clear();
  for (const Option& option : options.all())
    if (option.source() > OptionSource::kDefault && !option.value().empty())
      given_.push_back({option.name(), option.value()});
}

void TrainingSetup::require_blocks_fit(const Model& model, const Sampler& sampler) const {
  if (model.hops() > 1 && parse_block_shape(config_.blocks).items > 1)
    fail(
        "blocks is {}, but the model '{}' computes vectors from those of all items. Divide the "
        "users alone, as in --blocks {}x1, or choose --model mf.",
        config_.blocks, config_.model, parse_block_shape(config_.blocks).users);
  if (model.hops() > 1 && !model.fits_user_blocks())
    fail(
        "blocks is {}, but the model '{}' with these options does not add up sums over blocks. "
        "Train without blocks, or with lightgcn.precision = float32.",
        config_.blocks, config_.model);
  if (config_.schedule != RateDecay::kConstant || config_.warmup_epochs > 0 ||
      config_.init == Initialisation::kSvd)
    fail(
        "blocks is {}, but a learning-rate schedule and init = svd need all users and items "
        "together. Train without blocks, or leave schedule, warmup_epochs and init unset.",
        config_.blocks);
  if (!sampler.fits_blocks())
    fail(
        "blocks is {}, but the sampler '{}' with these options keeps what it has learned for all "
        "users and items together. Train without blocks, or choose rns, pns, dns, dns_mn or divns.",
        config_.blocks, config_.sampler);
}

TrainerParts TrainingSetup::make_parts() const {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  for (const Setting& setting : given_)
    options.set(setting.name, setting.value, OptionSource::kSet);
  return setup.take_parts();
}

// Negatives that the rows of a batch share are scored as one block.
void TrainingSetup::require_block() const {
  if (!losses_[index_in(losses(), find_loss(config_.loss))]->takes_blocks())
    fail(
        "the loss '{}' does not work with negatives that the rows of a batch share, and the "
        "sampler "
        "'{}' gives such negatives. Choose another loss, for example softmax, or another sampler, "
        "for example rns.",
        config_.loss, config_.sampler);
  if (config_.objective.broadcasts())
    fail(
        "broadcast_loss and broadcast_regulariser do not go with the sampler '{}', whose negatives "
        "are shared by the rows of a batch already. Turn them off, or choose another sampler.",
        config_.sampler);
  if (config_.objective.unit_items)
    fail(
        "unit_items is not available with the sampler '{}', whose negatives are shared by the rows "
        "of a batch. Set similarity = cosine instead, or choose another sampler.",
        config_.sampler);
}

std::string TrainingSetup::config_text(const Options& options, const TrainConfig& config) {
  // Lines of to_toml() are "name = value". Of options "owner.option", only those of the model, the
  // sampler and the loss in use are kept.
  const bool fitted = find_fitted_model(config.model) != nullptr;
  const auto is_used = [&](std::string_view name) {
    const std::string_view owner = name.substr(0, name.find('.'));
    if (fitted) return name == "model" || name == "seed" || owner == config.model;
    if (owner == name || owner == config.model || owner == config.sampler || owner == config.loss)
      return true;
    const auto is_owner = [&](const auto& entry) { return entry.name == owner; };
    return std::none_of(models().begin(), models().end(), is_owner) &&
           std::none_of(samplers().begin(), samplers().end(), is_owner) &&
           std::none_of(losses().begin(), losses().end(), is_owner) &&
           std::none_of(fitted_models().begin(), fitted_models().end(), is_owner);
  };
  // Options that do not change the result are left out.
  constexpr std::string_view kNotPartOfTheResult[] = {"preset",
                                                      "threads",
                                                      "quiet",
                                                      "json",
                                                      "data",
                                                      "out",
                                                      "resume",
                                                      "checkpoint_seconds",
                                                      "diagnostics_users",
                                                      "ranks",
                                                      "memory_limit",
                                                      "scratch",
                                                      "plan",
                                                      "plan_ranks"};
  std::string text;
  const std::string all = options.to_toml();
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = all.find('\n', begin) + 1;
    const std::string_view line = std::string_view(all).substr(begin, end - begin);
    const std::string_view name = line.substr(0, line.find(" = "));
    const bool named = name != "sampler" || !config.sampler.empty();
    const bool kept =
        named && std::find(std::begin(kNotPartOfTheResult), std::end(kNotPartOfTheResult), name) ==
                     std::end(kNotPartOfTheResult);
    if (kept && is_used(name)) text += line;
    begin = end;
  }
  return text;
}

std::string TrainingSetup::contents_text() const {
  if (is_fitted() || config_.sampler.empty()) return {};
  std::vector<std::string> files =
      samplers_[index_in(samplers(), find_sampler(config_.sampler))]->input_files();
  if (!config_.item_groups.empty()) files.push_back(config_.item_groups);
  std::string text;
  for (const std::string& file : files)
    text += fmt::format("# content: {}\n", hash128_hex(MappedFile(file).bytes()));
  return text;
}

TrainerParts TrainingSetup::take_parts() {
  std::unique_ptr<Sampler> sampler = std::make_unique<NoNegatives>();
  if (!config_.sampler.empty())
    sampler = std::move(samplers_[index_in(samplers(), find_sampler(config_.sampler))]);
  return {std::move(models_[index_in(models(), find_model(config_.model))]), std::move(sampler),
          std::move(losses_[index_in(losses(), find_loss(config_.loss))])};
}

std::unique_ptr<FittedModel> TrainingSetup::take_fitted_model() {
  const auto index = static_cast<size_t>(find_fitted_model(config_.model) - fitted_models().data());
  return std::move(fitted_models_[index]);
}

bool sampler_fits(std::string_view sampler, std::string_view model) {
  if (find_fitted_model(model) != nullptr) return true;
  return !find_sampler(sampler).make()->needs_hops() || find_model(model).make()->hops() > 1;
}

}  // namespace divns
