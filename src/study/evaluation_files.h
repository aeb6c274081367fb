// SPDX-License-Identifier: Apache-2.0
// An evaluation in the folder of a run: metrics_PART.json and per_user_PART.safetensors.
#pragma once

#include <filesystem>
#include <string>

#include "base/json_fwd.h"
#include "eval/evaluate.h"

namespace divns {

struct EvaluationAbout {
  std::string run;
  std::string dataset_hash;
  std::string part;  // "valid" or "test"
  std::string mask;  // "train" or "train+valid"
  double seconds = 0;
};

Json evaluation_document(const EvaluationAbout& about, const Evaluation& evaluation);
// The document comes last: where it is, the per-user values are.
void write_evaluation(const std::filesystem::path& folder, const EvaluationAbout& about,
                      const Evaluation& evaluation);

}  // namespace divns
