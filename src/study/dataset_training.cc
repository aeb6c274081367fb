// SPDX-License-Identifier: Apache-2.0
#include "study/dataset_training.h"

#include <filesystem>
#include <optional>

#include "base/check.h"
#include "data/synth_truth.h"
#include "eval/evaluate.h"

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

}  // namespace

RunResult train_on(const Dataset& data, TrainingSetup& setup, const RunRequest& request,
                   const Executor& executor, const RunHooks& hooks) {
  std::optional<SynthTruth> truth;
  const RunData run_data{data.train(),
                         data.hash(),
                         data.folder(),
                         [&](uint32_t user) { return data.user_id(user); },
                         [&](uint32_t item) { return data.item_id(item); },
                         [&](uint32_t item) { return data.item_name(item); },
                         known_likes(data, truth)};
  Validate validate;
  if (data.valid().pairs() > 0)
    validate = [&](const VectorTable& users, const VectorTable& items) {
      const EvaluationRequest question{users, items, data.train(), data.valid()};
      return evaluate(question, executor).mean(Metric::kRecall, 20);
    };
  return run_training(request, run_data, setup.take_model(), setup.take_sampler(),
                      std::move(validate), executor, hooks);
}

}  // namespace divns
