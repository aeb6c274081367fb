// SPDX-License-Identifier: Apache-2.0
#include "run/run_folder.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/log.h"
#include "base/machine.h"
#include "divns/version.h"
#include "io/model_file.h"
#include "run/checkpoint.h"

namespace divns {

namespace fs = std::filesystem;
namespace {

// run.json is known by its content: a file of this name may be anybody's.
bool is_about_run(const Json& about) {
  return about.is_object() && about.contains("divns_version") && about.contains("dataset_hash");
}

}  // namespace

RunFolder::RunFolder(const RunRequest& request, const RunData& data, const Executor& executor)
    : request_(request), data_(data) {
  require_run_or_empty();
  make_folder(request_.folder);
  lock_.emplace(request_.folder);
  remove_leftovers(request_.folder);
  const bool has_run = has("run.json");
  if (has_run) check_same_run();
  // run.json comes first: it tells that the folder is a run's, and everything else belongs to it.
  if (!has_run) write_about(executor);
  write_file_atomically(path("config.toml"), request_.config_text);
}

bool RunFolder::has(std::string_view name) const {
  return has_own_file(path(name));
}

// A new run begins in an empty folder. A run that was killed at its very start may have left a
// temporary file.
void RunFolder::require_run_or_empty() const {
  if (!fs::exists(request_.folder)) return;
  const std::string folder = request_.folder.string();
  if (!fs::is_directory(request_.folder)) fail("{} is a file. Choose a folder with --out.", folder);
  if (has("run.json")) {
    if (!is_about_run(parse_json_if_valid(read_text_file(path("run.json"), Links::kRefuse))))
      fail("{} was not written by divns. Choose another folder with --out.",
           path("run.json").string());
    if (request_.resume) return;
    fail("{} holds a run already. Continue it with --resume, or choose another folder with --out.",
         folder);
  }
  for (const auto& entry : fs::directory_iterator(request_.folder)) {
    const std::string name = entry.path().filename().string();
    if (!is_temporary_name(name))
      fail("{} holds no run, but it holds '{}'. Choose another folder with --out.", folder, name);
  }
}

void RunFolder::write_about(const Executor& executor) const {
  Json about = {{"divns_version", kVersion},
                {"model", request_.config.model},
                {"sampler", request_.config.sampler},
                {"seed", request_.config.seed},
                {"data", fs::absolute(data_.folder).string()},
                {"dataset_hash", data_.hash},
                {"machine", machine_description()},
                {"threads", executor.threads()}};
  if (request_.initial_model != nullptr)
    about["initial_model"] = request_.initial_model->content_hash();
  write_file_atomically(path("run.json"), sealed_json_text(about));
}

// Going on with other options or other data would be neither the old run nor a new one. Only more
// epochs can be added.
void RunFolder::check_same_run() const {
  const std::string before =
      has("config.toml") ? read_text_file(path("config.toml"), Links::kRefuse) : "";
  const bool is_same = before.empty() || before == request_.config_text;
  if (!is_same && !adds_epochs(before, request_.config_text))
    fail(
        "the run in {} was started with other options (its config.toml). Resume it with "
        "--config {}, or start anew with another --out.",
        request_.folder.string(), path("config.toml").string());
  const std::string file = path("run.json").string();
  const Json about = read_sealed_json(file);
  const std::string hash = json_string(about, "dataset_hash", "", file);
  if (hash != data_.hash)
    fail("the run in {} was started on other data (hash {}, now {}).", request_.folder.string(),
         hash, data_.hash);
  const TrainedModel* initial = request_.initial_model;
  if (json_string(about, "initial_model", "", file) != (initial ? initial->content_hash() : ""))
    fail(
        "the run in {} did not begin with the same initial model. Resume it with the model that it "
        "was started with (--from).",
        request_.folder.string());
  if (!is_same) begin_extension();
}

// The model goes first: without it the run is an unfinished one with a checkpoint, and if this
// process is killed here, resuming with the old number of epochs writes the old results again.
void RunFolder::begin_extension() const {
  const std::string folder = request_.folder.string();
  if (request_.config.schedule != RateDecay::kConstant)
    fail(
        "the run in {} cannot have more epochs: its learning rate follows a schedule over all of "
        "them. Start anew with another --out.",
        folder);
  if (!has(kCheckpointName))
    fail(
        "the run in {} has no checkpoint, so it cannot have more epochs. Begin a new run with its "
        "model (--from), or train again; --keep-checkpoint keeps the checkpoint of a finished run.",
        folder);
  for (const std::string_view name :
       {kModelFileName, std::string_view("metrics.json"), std::string_view("metrics_valid.json"),
        std::string_view("per_user_valid.safetensors"), std::string_view("metrics_test.json"),
        std::string_view("per_user_test.safetensors")})
    if (has(name)) fs::remove(path(name));
}

RunResult RunFolder::finished_before() const {
  log_info(fmt::format("{} is finished already", request_.folder.string()));
  const std::string file = path("metrics.json").string();
  const Json metrics = read_sealed_json(file);
  RunResult result;
  result.finished = result.resumed = true;
  const std::string key = "valid_" + request_.config.valid_metric;
  result.epochs = json_count(metrics, "epochs", 0, file);
  result.metric_name = request_.config.valid_metric;
  result.validated = metrics.contains(key);
  result.best_metric = json_number(metrics, key.c_str(), 0, file);
  result.best_epoch = json_count(metrics, "best_epoch", 0, file);
  result.last_loss = json_number(metrics, "last_loss", 0, file);
  return result;
}

void RunFolder::write_metrics(const RunResult& result) const {
  Json metrics = {{"epochs", result.epochs}, {"last_loss", result.last_loss}};
  if (result.validated) {
    metrics["valid_" + request_.config.valid_metric] = result.best_metric;
    metrics["best_epoch"] = result.best_epoch;
  }
  metrics["seconds"]["total"] = result.seconds.total();
  for (const Phase& phase : kPhases) metrics["seconds"][phase.name] = result.seconds.*phase.seconds;
  if (has("events.jsonl"))
    metrics["events_hash"] = hash128_hex(MappedFile(path("events.jsonl"), Links::kRefuse).bytes());
  write_file_atomically(path("metrics.json"), sealed_json_text(metrics));
}

void RunFolder::write_results(const RunResult& result, const ModelContents& model) const {
  require_finite(model.user_vectors, "users", result.epochs);
  require_finite(model.item_vectors, "items", result.epochs);
  write_metrics(result);
  write_model(model);
}

// The loss of an epoch is known before its last step, so that step may have diverged unnoticed.
void RunFolder::require_finite(const VectorTable& table, std::string_view what,
                               uint32_t epochs) const {
  for (uint32_t i = 0; i < table.rows; ++i)
    if (!std::all_of(table.row(i), table.row(i) + table.dim,
                     [](float value) { return std::isfinite(value); }))
      fail(
          "the vectors of the {} are not finite numbers after {} epochs: training has diverged, "
          "and "
          "no model is saved. A smaller learning_rate than {} may help.",
          what, epochs, request_.config.optimizer.learning_rate);
}

void RunFolder::write_model(const ModelContents& model) const {
  write_model_file(path(kModelFileName), {.contents = model,
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
