// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/folder_lock.h"
#include "train/run.h"

namespace divns {

// The folder of a run: what every run keeps in it, however its model comes about.
class RunFolder {
 public:
  // Makes it, or opens the one to be resumed, and holds it for this process alone. Both arguments
  // must outlive it.
  RunFolder(const RunRequest& request, const RunData& data, const Executor& executor);

  std::filesystem::path path(std::string_view name) const { return request_.folder / name; }

  // What metrics.json says of a run that was finished before.
  RunResult finished_before() const;
  void write_metrics(const RunResult& result) const;
  // Comes last: where it is, the run is done.
  void write_model(const VectorTable& users, const VectorTable& items) const;

 private:
  void remove_leftovers() const;
  void check_same_run() const;
  void write_about(const Executor& executor) const;

  const RunRequest& request_;
  const RunData& data_;
  std::optional<FolderLock> lock_;
};

}  // namespace divns
