// SPDX-License-Identifier: Apache-2.0
#include "divns/opened_run.h"

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"

namespace divns::app {
namespace fs = std::filesystem;

OpenedRun open_run(const std::string& path) {
  OpenedRun run{TrainedModel::load(path), path, {}, {}};
  if (!fs::is_directory(path)) return run;
  run.folder = path;
  const fs::path record = run.folder / "run.json";
  if (!fs::exists(record)) return run;
  const auto json = parse_json_if_valid(read_text_file(record));
  if (json.is_object() && json.contains("data") && json["data"].is_string())
    run.recorded_data = json["data"].get<std::string>();
  return run;
}

Dataset open_dataset_of(const OpenedRun& run, const std::string& data_flag) {
  const std::string& folder = data_flag.empty() ? run.recorded_data : data_flag;
  if (folder.empty())
    fail("{} does not say which dataset it was trained on; name the prepared dataset with --data.",
         run.given.string());
  if (data_flag.empty() && !fs::exists(folder))
    fail("The dataset that {} was trained on, {}, is no longer there; say where it is with --data.",
         run.given.string(), folder);
  Dataset data = Dataset::open(folder);
  if (data.hash() != run.model.dataset_hash())
    fail(
        "{} holds another dataset (hash {}) than the one {} was trained on (hash {}); name that "
        "one "
        "with --data.",
        folder, data.hash(), run.given.string(), run.model.dataset_hash());
  return data;
}

}  // namespace divns::app
