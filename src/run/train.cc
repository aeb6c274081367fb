// SPDX-License-Identifier: Apache-2.0
#include "divns/train.h"

#include "base/check.h"
#include "base/log.h"
#include "base/temporary_folder.h"
#include "distributed/job.h"
#include "divns/plan.h"
#include "run/dataset_training.h"
#include "run/resolved_setup.h"
#include "train/block_shape.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

void require_continuable(const TrainingSetup& setup, const Communicator* ranks) {
  const TrainConfig& config = setup.config();
  if (setup.is_fitted())
    fail(
        "the model '{}' is fitted to all pairs at once: there is no training that an initial model "
        "could continue. Train it without one.",
        config.model);
  if (ranks != nullptr || !parse_block_shape(config.blocks).is_whole())
    fail(
        "an initial model does not go with training over blocks or ranks. Train without blocks, or "
        "without an initial model.");
}

}  // namespace

Settings TrainOptions::all_settings() const {
  // Fields that have their default are left out, so that a preset can choose.
  Settings all = {{"seed", std::to_string(seed)}};
  const TrainOptions defaults;
  if (model != defaults.model) all.push_back({"model", model});
  if (sampler != defaults.sampler) all.push_back({"sampler", sampler});
  const auto add_text = [&](const char* name, const std::optional<std::string>& value) {
    if (value) all.push_back({name, *value});
  };
  const auto add_number = [&](const char* name, const auto& value) {
    if (value) all.push_back({name, fmt::format("{}", *value)});
  };
  add_text("loss", loss);
  add_number("embedding_dim", embedding_dim);
  add_number("epochs", epochs);
  add_number("batch_size", batch_size);
  add_number("negatives", negatives);
  add_number("learning_rate", learning_rate);
  add_number("l2", l2);
  add_text("valid_metric", valid_metric);
  all.insert(all.end(), settings.begin(), settings.end());
  return all;
}

namespace {

// The folder for blocks on disk; empty if they fit into memory.
fs::path scratch_folder(const Dataset& data, const TrainOptions& options,
                        const Communicator* ranks) {
  if (options.memory_limit == 0) return {};
  const TrainingPlan plan =
      plan_training(data, options, ranks == nullptr ? 1 : ranks->size(), false);
  if (!plan.fits)
    fail(
        "the training needs about {} MB of memory{}, but the memory limit is {} MB. Use more "
        "blocks (blocks = {}x{} now){}, or a higher limit.",
        plan.memory_on_disk >> 20, plan.on_disk ? " even with blocks on disk" : "",
        plan.memory_limit >> 20, plan.user_blocks, plan.item_blocks,
        plan.on_disk ? "" : " on more ranks");
  if (!plan.on_disk) return {};
  return options.scratch.empty() ? fs::temp_directory_path() : options.scratch;
}

}  // namespace

struct Run::Contents {
  RunResult result;
  fs::path folder;
  std::optional<TrainedModel> model;
};

Run::Run(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

const RunResult& Run::result() const {
  return contents_->result;
}

const fs::path& Run::folder() const {
  return contents_->folder;
}

const TrainedModel& Run::model() const {
  if (!contents_->model)
    fail(
        "the run was stopped after {} epochs and has no model yet; train with the same folder and "
        "`resume` to finish it.",
        contents_->result.epochs);
  return *contents_->model;
}

Run train(const Dataset& data, const TrainOptions& options, const TrainCallbacks& callbacks) {
  ResolvedSetup resolved(options.all_settings());
  if (data.valid().pairs() == 0)
    log_info("the dataset has no validation part: training runs through all epochs");
  std::optional<TemporaryFolder> temporary;
  if (options.folder.empty()) temporary.emplace();
  Communicator* const ranks = options.ranks ? &require_job() : nullptr;
  if (options.initial_model != nullptr) require_continuable(resolved.setup, ranks);
  const RunRequest request{.folder = temporary ? temporary->path() / "run" : options.folder,
                           .resume = options.resume,
                           .checkpoint_seconds = temporary ? std::numeric_limits<double>::infinity()
                                                           : options.checkpoint_seconds,
                           .config = resolved.setup.config(),
                           .config_text = resolved.config_text(),
                           .initial_model = options.initial_model,
                           .keep_checkpoint = options.keep_checkpoint,
                           .scratch = scratch_folder(data, options, ranks),
                           .ranks = ranks};
  auto contents = std::make_unique<Run::Contents>();
  contents->folder = options.folder;
  Executor executor(options.threads);
  executor.cancel_on(callbacks.cancel);
  contents->result = train_on(data, resolved.setup, request, executor, callbacks);
  // The model file stays mapped after a temporary folder is gone.
  if (contents->result.finished) contents->model = TrainedModel::load(request.folder);
  return Run(std::move(contents));
}

struct TrainingTable::Contents {
  TrainingSetup setup;
  Options options;  // refers to the setup
};

TrainingTable::TrainingTable() : contents_(std::make_unique<Contents>()) {
  contents_->setup.declare(contents_->options);
}
TrainingTable::~TrainingTable() = default;
TrainingTable::TrainingTable(TrainingTable&&) noexcept = default;
TrainingTable& TrainingTable::operator=(TrainingTable&&) noexcept = default;

Options& TrainingTable::options() {
  return contents_->options;
}
const Options& TrainingTable::options() const {
  return contents_->options;
}

void TrainingTable::resolve() {
  contents_->setup.resolve(contents_->options);
}

Settings TrainingTable::given() const {
  return given_in(contents_->options);
}

Settings TrainingTable::given_in(const Options& table) const {
  Settings settings;
  for (const Option& option : table.all())
    if (option.source() > OptionSource::kPreset &&
        contents_->options.find(option.name()) != nullptr)
      settings.push_back({option.name(), option.value()});
  return settings;
}

}  // namespace divns
