// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "divns/dataset.h"
#include "divns/model.h"

namespace divns::app {

// What `divns train` left behind: the folder of the run, or the model file alone.
struct OpenedRun {
  TrainedModel model;
  std::filesystem::path given;
  std::filesystem::path folder;  // empty for a model file alone
  std::string recorded_data;     // folder of the dataset as run.json has it, or empty
};

OpenedRun open_run(const std::string& path);

// The dataset of --data, or else the one that the run recorded; refuses one with another hash than
// the model's.
Dataset open_dataset_of(const OpenedRun& run, const std::string& data_flag);

}  // namespace divns::app
