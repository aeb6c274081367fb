// SPDX-License-Identifier: Apache-2.0
#include "study/evaluation_files.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/json.h"
#include "eval/evaluation_json.h"
#include "eval/per_user_file.h"

namespace divns {

Json evaluation_document(const EvaluationAbout& about, const Evaluation& evaluation) {
  Json json = {{"run", about.run},
               {"dataset_hash", about.dataset_hash},
               {"part", about.part},
               {"mask", about.mask},
               {"seconds", about.seconds}};
  json.update(parse_json(evaluation_json(evaluation)));
  return json;
}

void write_evaluation(const std::filesystem::path& folder, const EvaluationAbout& about,
                      const Evaluation& evaluation) {
  write_per_user_file(folder / fmt::format("per_user_{}.safetensors", about.part),
                      {evaluation.per_user, about.dataset_hash, about.part, about.mask});
  write_file_atomically(folder / fmt::format("metrics_{}.json", about.part),
                        json_text(evaluation_document(about, evaluation)) + "\n");
}

}  // namespace divns
