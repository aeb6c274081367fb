// SPDX-License-Identifier: Apache-2.0
#include "study/evaluation_files.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "eval/evaluation_json.h"
#include "eval/per_user_file.h"

namespace divns {

nlohmann::ordered_json evaluation_document(const EvaluationAbout& about,
                                           const Evaluation& evaluation) {
  nlohmann::ordered_json json = {{"run", about.run},
                                 {"dataset_hash", about.dataset_hash},
                                 {"part", about.part},
                                 {"mask", about.mask},
                                 {"seconds", about.seconds}};
  json.update(nlohmann::ordered_json::parse(evaluation_json(evaluation)));
  return json;
}

void write_evaluation(const std::filesystem::path& folder, const EvaluationAbout& about,
                      const Evaluation& evaluation) {
  write_per_user_file(folder / fmt::format("per_user_{}.safetensors", about.part),
                      {evaluation.per_user, about.dataset_hash, about.part, about.mask});
  write_file_atomically(folder / fmt::format("metrics_{}.json", about.part),
                        evaluation_document(about, evaluation).dump(2) + "\n");
}

}  // namespace divns
