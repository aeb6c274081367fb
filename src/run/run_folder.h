// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/folder_lock.h"
#include "io/model_file.h"
#include "run/run.h"

namespace divns {

// The folder of a run: what every run keeps in it, however its model comes about.
class RunFolder {
 public:
  // Makes it, or opens the one to be resumed, and holds it for this process alone. A folder that
  // holds anything but a run is refused. Both arguments must outlive it.
  RunFolder(const RunRequest& request, const RunData& data, const Executor& executor);

  std::filesystem::path path(std::string_view name) const { return request_.folder / name; }

  // True if the run has this file. A link of that name is refused.
  bool has(std::string_view name) const;

  // What metrics.json says of a run that was finished before.
  RunResult finished_before() const;
  // metrics.json, with the hash of events.jsonl if there is one.
  void write_metrics(const RunResult& result) const;
  // metrics.json and the model. The model comes last: where it is, the run is done. Vectors that
  // are not finite are an Error, and neither file is written.
  void write_results(const RunResult& result, const ModelContents& model) const;

 private:
  void require_run_or_empty() const;
  void check_same_run() const;
  void begin_extension() const;
  void write_about(const Executor& executor) const;
  void require_finite(const VectorTable& table, std::string_view what, uint32_t epochs) const;
  void write_model(const ModelContents& model) const;

  const RunRequest& request_;
  const RunData& data_;
  std::optional<FolderLock> lock_;
};

}  // namespace divns
