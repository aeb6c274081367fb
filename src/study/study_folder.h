// SPDX-License-Identifier: Apache-2.0
// A study as a folder: request.json holds the request, runs/ holds the runs, and when all is done
// study.json and the tables tell what came of it. study.json is the same, byte for byte, however
// often the study was interrupted and however many runs went on at a time: seconds and threads are
// in timings.csv.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/folder_lock.h"
#include "base/json_fwd.h"
#include "divns/dataset.h"

namespace divns {

class Options;

class StudyFolder {
 public:
  // Makes the folder, or goes on with the study in it; keeps other processes out. Throws Error if
  // the folder holds something else: other files, or a study with another request.
  StudyFolder(std::filesystem::path folder, const Json& request);

  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::optional<FolderLock> lock_;
};

// What every study.json begins with: format, verb, version, machine, dataset, command.
Json study_header(const std::string& verb, const std::string& command, const Dataset& data);

}  // namespace divns
