// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "divns/command.h"
#include "divns/dataset.h"
#include "study/run_spec.h"
#include "study/runner.h"
#include "study/variants.h"
#include "train/setup.h"

namespace divns::app {

// What compare, tune and ablate have in common: a dataset, a place, models, and every option of a
// training as the base of all runs.
struct StudyVerb {
  CommonOptions common;
  std::string data_folder;
  std::string out;
  std::string runs;
  std::vector<std::string> models = {"mf"};
  uint64_t seed = 1;
  int jobs = 1;
  double checkpoint_seconds = 30;
  std::string paper;
  Options options;

  // Between declare_first and declare_last come the options of the verb itself.
  void declare_first();
  void declare_paper();
  void declare_last();

  Dataset open_data() const;
  // Options of a training that were given.
  Settings base_settings() const;
  // Puts the paper's hyper-parameters below the rows' own settings, if --paper asks for them.
  void start_from_paper(std::vector<StudyRow>& rows) const;
  Settings paper_settings_of(const std::string& model, const std::string& sampler) const;
  RunnerOptions runner() const { return {jobs, common.threads}; }
  void say_stopped() const;

 private:
  TrainingSetup setup_;
  Options training_;
};

}  // namespace divns::app
