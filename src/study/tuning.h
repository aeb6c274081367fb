// SPDX-License-Identifier: Apache-2.0
// Tuning by successive halving, on the validation part alone: each row of a study gets the same
// number of trials and the same epochs. A trial that goes on resumes its checkpoint. Behind
// `divns tune`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "study/halving.h"
#include "study/runner.h"
#include "study/variants.h"

namespace divns {

struct TuningRequest {
  std::vector<StudyRow> rows;
  HalvingPlan plan;
  uint64_t seed = 1;               // of the trials' trainings and of their choice
  bool paper_grid = false;         // instead of the ranges that options declare
  std::vector<std::string> fixed;  // options that are not tuned although they declare a range
};

struct Trial {
  Settings settings;  // what was drawn; empty for the row as it stands
  PlannedRun run;
  struct AtRung {
    uint32_t epochs = 0;  // trained, fewer than the rung where early stopping came first
    std::optional<double> valid;
    uint32_t best_epoch = 0;
  };
  std::vector<AtRung> rungs;  // as far as the trial came
};

struct TuningResult {
  struct OfRow {
    StudyRow row;
    std::vector<Trial> trials;
    size_t best = 0;              // trial with the highest validation of the last rung
    uint64_t epochs_trained = 0;  // over all trials
  };
  std::vector<OfRow> rows;
  std::vector<std::string> notes;
  std::string metric = "recall@20";  // on the validation part

  // The winners, as `divns compare --samplers FILE` reads them.
  std::vector<Variant> winners() const;
};

struct TuningStudy {
  std::string command;
  std::filesystem::path out;
  std::string runs = {};
  TuningRequest request;
  std::vector<std::string> notes = {};
  double checkpoint_seconds = 30;
};

// Writes study.json, winners.*, trials.csv, best.toml and commands.sh. Nothing if it
// was stopped; the same call goes on.
std::optional<TuningResult> run_tuning(const Dataset& data, const TuningStudy& study,
                                       const RunnerOptions& runner, const StudyCallbacks& hooks);

}  // namespace divns
