// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "divns/evaluate.h"
#include "divns/options.h"
#include "eval/evaluation_json.h"
#include "eval/per_user_file.h"

namespace divns {

namespace {

Json evaluation_document(const EvaluationAbout& about, const Evaluation& evaluation) {
  Json json = {{"run", about.run},
               {"dataset_hash", about.dataset_hash},
               {"part", about.part},
               {"mask", about.mask},
               {"seconds", about.seconds}};
  json.update(evaluation_values(evaluation));
  return json;
}

}  // namespace

std::string evaluation_json(const EvaluationAbout& about, const Evaluation& evaluation) {
  return json_text(evaluation_document(about, evaluation));
}

void write_evaluation(const std::filesystem::path& folder, const EvaluationAbout& about,
                      const Evaluation& evaluation) {
  remove_leftovers(folder);
  write_per_user_file(folder / fmt::format("per_user_{}.safetensors", about.part),
                      {evaluation.per_user, about.dataset_hash, about.part, about.mask});
  write_file_atomically(folder / fmt::format("metrics_{}.json", about.part),
                        sealed_json_text(evaluation_document(about, evaluation)));
}

void EvaluateOptions::declare(Options& options) {
  options.add("part", part, "part to evaluate on; test opens the test part")
      .choices({"valid", "test"});
  options.add("mask", mask, "pairs that may not be recommended").choices({"train", "train+valid"});
  options.add("topk", topk, "cutoffs of the metrics").range(1, 1e6);
}

Evaluation evaluate(const TrainedModel& model, const Dataset& data,
                    const EvaluateOptions& options) {
  if (options.part == "valid" && options.mask == "train+valid")
    fail("--mask train+valid leaves nothing to find in the valid part; use it with --part test.");
  EvaluationRequest request;
  const Scorer scorer = model.scorer();
  request.users = scorer.users;
  request.items = scorer.items;
  request.scores = scorer.source;
  request.train = data.train();
  request.cutoffs.assign(options.topk.begin(), options.topk.end());
  request.details = true;
  if (options.mask == "train+valid") request.also_masked = data.valid();
  std::optional<Dataset::TestPart> test;
  if (options.part == "test") test.emplace(data.open_test());
  request.relevant = test ? test->interactions() : data.valid();
  Evaluation result = evaluate(request, Executor(options.threads));
  if (result.evaluated_users() == 0)
    fail("no user of {} has an item in the {} part: there is nothing to evaluate.",
         data.folder().string(), options.part);
  return result;
}

}  // namespace divns
