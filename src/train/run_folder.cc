// SPDX-License-Identifier: Apache-2.0
#include "train/run_folder.h"

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "base/log.h"
#include "base/machine.h"
#include "divns/version.h"
#include "io/model_file.h"

namespace divns {

namespace fs = std::filesystem;
RunFolder::RunFolder(const RunRequest& request, const RunData& data, const Executor& executor)
    : request_(request), data_(data) {
  const bool has_run = fs::exists(path("run.json"));
  if (has_run && !request_.resume)
    fail("{} holds a run already. Give --resume to go on with it, or another --out.",
         request_.folder.string());
  // A run that was killed at its very start may have left no more than temporary files.
  if (!has_run && !request_.resume && fs::exists(request_.folder) && !fs::is_empty(request_.folder))
    fail("{} is not empty and holds no run. Give another --out.", request_.folder.string());
  std::error_code error;
  fs::create_directories(request_.folder, error);
  if (error) fail("{} cannot be made: {}.", request_.folder.string(), error.message());
  lock_.emplace(request_.folder);
  remove_leftovers();
  if (has_run) check_same_run();
  write_file_atomically(path("config.toml"), request_.config_text);
  if (!has_run) write_about(executor);
}

void RunFolder::write_about(const Executor& executor) const {
  const Json about = {{"divns_version", kVersion},
                      {"model", request_.config.model},
                      {"sampler", request_.config.sampler},
                      {"seed", request_.config.seed},
                      {"data", fs::absolute(data_.folder).string()},
                      {"dataset_hash", data_.hash},
                      {"machine", machine_description()},
                      {"threads", executor.threads()}};
  write_file_atomically(path("run.json"), json_text(about) + "\n");
}

// Temporary files of processes that were killed while they wrote.
void RunFolder::remove_leftovers() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(request_.folder))
    if (entry.path().filename().string().find(".tmp-") != std::string::npos)
      fs::remove(entry.path(), ignored);
}

// Going on with other options or other data would be neither the old run nor a new one.
void RunFolder::check_same_run() const {
  if (fs::exists(path("config.toml")) &&
      read_text_file(path("config.toml")) != request_.config_text)
    fail(
        "the run in {} was started with other options (its config.toml). Resume it with "
        "--config {}, or start anew with another --out.",
        request_.folder.string(), path("config.toml").string());
  const auto about = parse_json_if_valid(read_text_file(path("run.json")));
  if (about.is_object() && about.contains("dataset_hash") && about["dataset_hash"] != data_.hash)
    fail("the run in {} was started on other data (hash {}, now {}).", request_.folder.string(),
         json_line(about["dataset_hash"]), data_.hash);
}

RunResult RunFolder::finished_before() const {
  log_info(fmt::format("{} is finished already", request_.folder.string()));
  const auto metrics = parse_json_if_valid(read_text_file(path("metrics.json")));
  if (!metrics.is_object()) fail("{} is damaged.", path("metrics.json").string());
  RunResult result;
  result.finished = result.resumed = true;
  result.epochs = metrics.value("epochs", 0U);
  result.validated = metrics.contains("valid_recall@20");
  result.best_metric = metrics.value("valid_recall@20", 0.0);
  result.best_epoch = metrics.value("best_epoch", 0U);
  result.last_loss = metrics.value("last_loss", 0.0);
  return result;
}

void RunFolder::write_metrics(const RunResult& result) const {
  Json metrics = {{"epochs", result.epochs}, {"last_loss", result.last_loss}};
  if (result.validated) {
    metrics["valid_recall@20"] = result.best_metric;
    metrics["best_epoch"] = result.best_epoch;
  }
  const PhaseSeconds& seconds = result.seconds;
  metrics["seconds"] = {{"total", seconds.total()},           {"sampling", seconds.sampling},
                        {"propagation", seconds.propagation}, {"gradient", seconds.gradient},
                        {"optimiser", seconds.optimiser},     {"evaluation", seconds.evaluation}};
  write_file_atomically(path("metrics.json"), json_text(metrics) + "\n");
}

void RunFolder::write_model(const VectorTable& users, const VectorTable& items) const {
  write_model_file(path(kModelFileName), {.user_vectors = users,
                                          .item_vectors = items,
                                          .user_id = data_.user_id,
                                          .item_id = data_.item_id,
                                          .item_name = data_.item_name,
                                          .model = request_.config.model,
                                          .sampler = request_.config.sampler,
                                          .seed = request_.config.seed,
                                          .dataset_hash = data_.hash,
                                          .config = request_.config_text});
}

}  // namespace divns
