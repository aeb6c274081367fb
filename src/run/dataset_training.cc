// SPDX-License-Identifier: Apache-2.0
#include "run/dataset_training.h"

#include <filesystem>
#include <functional>
#include <optional>

#include "base/check.h"
#include "data/item_groups.h"
#include "divns/evaluate.h"
#include "run/block_run.h"
#include "run/fitted_run.h"
#include "run/warm_start.h"
#include "synth/truth.h"

namespace divns {
namespace {

// Validation items, and the truth where the data are synthetic.
KnownLikes known_likes(const Dataset& data, std::optional<SynthTruth>& truth) {
  KnownLikes known;
  if (data.valid().pairs() > 0) known.valid = data.valid();
  const auto file = data.folder() / kTruthFileName;
  if (!std::filesystem::exists(file)) return known;
  truth = read_synth_truth(file);
  if (truth->users() != data.users() || truth->items() != data.items())
    fail("{} is of {} users and {} items, but the dataset has {} and {}.", file.string(),
         truth->users(), truth->items(), data.users(), data.items());
  known.likes = [&truth](uint32_t user, uint32_t item) { return truth->likes(user, item); };
  return known;
}

RunData data_of_run(const Dataset& data) {
  return {data.train(),
          data.hash(),
          data.folder(),
          [&](uint32_t user) { return data.user_id(user); },
          [&](uint32_t item) { return data.item_id(item); },
          [&](uint32_t item) { return data.item_name(item); }};
}

SideInputs side_inputs(const Dataset& data, const TrainConfig& config) {
  SideInputs inputs;
  inputs.find_user = [&](std::string_view id) { return data.find_user(id); };
  inputs.find_item = [&](std::string_view id) { return data.find_item(id); };
  if (!config.item_groups.empty())
    inputs.item_groups = read_item_groups(config.item_groups, data.items(), inputs.find_item);
  return inputs;
}

// Empty without a validation part.
std::function<double(const Scorer&)> validation(const Dataset& data, const std::string& metric,
                                                const Executor& executor) {
  const uint32_t cutoff = check_metric(metric);
  if (data.valid().pairs() == 0) return {};
  return [&data, &executor, metric, cutoff](const Scorer& scorer) {
    EvaluationRequest question{scorer.users, scorer.items, data.train(), data.valid()};
    question.scores = scorer.source;
    question.cutoffs = {cutoff};
    return evaluate(question, executor).mean(metric);
  };
}

// The same for some of the users, one value per user with validation items.
ValidateUsers validation_of_users(const Dataset& data, const std::string& metric,
                                  const Executor& executor) {
  const uint32_t cutoff = check_metric(metric);
  if (data.valid().pairs() == 0) return {};
  return [&data, &executor, metric, cutoff](const UserRange& users, const VectorTable& vectors,
                                            const VectorTable& items) {
    EvaluationRequest question{vectors, items, rows_of(data.train(), users),
                               rows_of(data.valid(), users)};
    question.cutoffs = {cutoff};
    const Evaluation result = evaluate(question, executor);
    const std::span<const float> values = result.per_user.column(result.column(metric));
    return std::vector<float>(values.begin(), values.end());
  };
}

}  // namespace

RunResult train_on(const Dataset& data, TrainingSetup& setup, const RunRequest& request,
                   const Executor& executor, const TrainCallbacks& hooks) {
  if (setup.is_fitted()) return fit_on(data, *setup.take_fitted_model(), request, executor, hooks);
  // One block is for one rank; more of them are refused there.
  if ((request.ranks != nullptr && request.ranks->size() > 1) ||
      !parse_block_shape(request.config.blocks).is_whole())
    return run_blocks(
        request, data_of_run(data), [&setup] { return setup.make_parts(); },
        validation_of_users(data, request.config.valid_metric, executor), executor, hooks);
  std::optional<SynthTruth> truth;
  RunData run_data = data_of_run(data);
  run_data.known = known_likes(data, truth);
  Validate validate;
  if (const auto score = validation(data, request.config.valid_metric, executor))
    validate = [score](const VectorTable& users, const VectorTable& items) {
      return score({users, items});
    };
  TrainerParts parts = setup.take_parts();
  std::optional<InitialRows> initial;
  if (request.initial_model != nullptr) {
    initial = rows_of_earlier(*request.initial_model, run_data, request.config);
    parts.initial = &*initial;
  }
  parts.inputs = side_inputs(data, request.config);
  return run_training(request, run_data, std::move(parts), std::move(validate), executor, hooks);
}

RunResult fit_on(const Dataset& data, FittedModel& model, const RunRequest& request,
                 const Executor& executor, const TrainCallbacks& hooks) {
  const RunData run_data = data_of_run(data);
  return run_fitting(request, run_data, model,
                     validation(data, request.config.valid_metric, executor), executor, hooks);
}

}  // namespace divns
