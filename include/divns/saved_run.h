// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "divns/dataset.h"
#include "divns/model.h"

namespace divns {

// What a training left behind: the folder of the run, or a model file alone.
struct SavedRun {
  TrainedModel model;
  std::filesystem::path given;   // the path that was opened
  std::filesystem::path folder;  // of the run; empty for a model file alone
  std::string data_folder;       // of the dataset, as the run recorded it; may be empty

  // The dataset in `data`, or the recorded one if `data` is empty. Throws Error if it is not the
  // dataset that the model was trained on.
  Dataset open_dataset(const std::string& data = {}) const;
};

SavedRun open_run(const std::filesystem::path& path);

}  // namespace divns
