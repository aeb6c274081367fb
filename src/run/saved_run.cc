// SPDX-License-Identifier: Apache-2.0
#include "divns/saved_run.h"

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"

namespace divns {
namespace fs = std::filesystem;

SavedRun open_run(const fs::path& path) {
  SavedRun run{TrainedModel::load(path), path, {}, {}};
  if (!fs::is_directory(path)) return run;
  run.folder = path;
  const fs::path record = run.folder / "run.json";
  if (!fs::exists(record)) return run;
  const auto json = parse_json_if_valid(read_text_file(record));
  if (json.is_object() && json.contains("data") && json["data"].is_string())
    run.data_folder = json["data"].get<std::string>();
  return run;
}

Dataset SavedRun::open_dataset(const std::string& data) const {
  const std::string& chosen = data.empty() ? data_folder : data;
  if (chosen.empty())
    fail("{} does not record the dataset it was trained on; name the prepared dataset with --data.",
         given.string());
  if (data.empty() && !fs::exists(chosen))
    fail(
        "the dataset that {} was trained on, {}, does not exist any more; give its place with "
        "--data.",
        given.string(), chosen);
  Dataset dataset = Dataset::open(chosen);
  if (dataset.hash() != model.dataset_hash())
    fail(
        "{} is another dataset (hash {}) than the one {} was trained on (hash {}); name that one "
        "with --data.",
        chosen, dataset.hash(), given.string(), model.dataset_hash());
  return dataset;
}

}  // namespace divns
