// SPDX-License-Identifier: Apache-2.0
#include "train/run.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "base/check.h"
#include "base/files.h"
#include "base/folder_lock.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/stopwatch.h"
#include "divns/version.h"
#include "io/model_file.h"
#include "io/safetensors.h"
#include "train/events.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::string_view kCheckpoint = "checkpoint.safetensors";
constexpr std::string_view kCheckpointFormat = "divns-checkpoint";
constexpr std::string_view kCheckpointVersion = "1";

ordered_json seconds_json(const PhaseSeconds& seconds) {
  return {{"total", seconds.total()},           {"sampling", seconds.sampling},
          {"propagation", seconds.propagation}, {"gradient", seconds.gradient},
          {"optimiser", seconds.optimiser},     {"evaluation", seconds.evaluation}};
}

PhaseSeconds sum(const PhaseSeconds& a, const PhaseSeconds& b) {
  return {a.sampling + b.sampling, a.propagation + b.propagation, a.gradient + b.gradient,
          a.optimiser + b.optimiser, a.evaluation + b.evaluation};
}

class Run {
 public:
  Run(const RunRequest& request, const RunData& data, const RunHooks& hooks)
      : request_(request), data_(data), hooks_(hooks) {}

  RunResult go(Trainer& trainer, const Executor& executor) {
    open_folder(executor);
    if (fs::exists(path(kModelFileName))) return finished_before();
    load_checkpoint(trainer);
    EventLog events(path("events.jsonl"), events_kept_);
    Stopwatch since_checkpoint;
    while (!trainer.finished() && !is_paused(trainer)) {
      const EpochReport report = trainer.run_epoch([&](double share) {
        if (hooks_.on_progress) hooks_.on_progress(trainer.epochs_done(), share);
      });
      events.append(report);
      result_.seconds = sum(result_.seconds, report.seconds);
      result_.last_loss = report.loss / static_cast<double>(report.batches);
      if (hooks_.on_epoch) hooks_.on_epoch(report);
      const bool asked = hooks_.stop != nullptr && *hooks_.stop;
      const bool stop = !trainer.finished() && (asked || is_paused(trainer));
      if (stop || since_checkpoint.seconds() >= request_.checkpoint_seconds) {
        events.sync();
        write_checkpoint(trainer, events.bytes());
        since_checkpoint.lap();
      }
      if (stop) break;
    }
    summarise(trainer);
    if (trainer.finished()) {
      events.sync();
      write_results(trainer);
    }
    return result_;
  }

 private:
  fs::path path(std::string_view name) const { return request_.folder / name; }

  bool is_paused(const Trainer& trainer) const {
    return request_.pause_after && trainer.epochs_done() >= *request_.pause_after;
  }

  void open_folder(const Executor& executor) {
    const bool has_run = fs::exists(path("run.json"));
    if (has_run && !request_.resume)
      fail("{} holds a run already. Give --resume to go on with it, or another --out.",
           request_.folder.string());
    // A run that was killed at its very start may have left no more than temporary files.
    if (!has_run && !request_.resume && fs::exists(request_.folder) &&
        !fs::is_empty(request_.folder))
      fail("{} is not empty and holds no run. Give another --out.", request_.folder.string());
    std::error_code error;
    fs::create_directories(request_.folder, error);
    if (error) fail("{} cannot be made: {}.", request_.folder.string(), error.message());
    lock_.emplace(request_.folder);
    remove_leftovers();
    if (has_run) check_same_run();
    write_file_atomically(path("config.toml"), request_.config_text);
    if (has_run) return;
    const ordered_json about = {{"divns_version", kVersion},
                                {"model", request_.config.model},
                                {"sampler", request_.config.sampler},
                                {"seed", request_.config.seed},
                                {"data", fs::absolute(data_.folder).string()},
                                {"dataset_hash", data_.hash},
                                {"machine", machine_description()},
                                {"threads", executor.threads()}};
    write_file_atomically(path("run.json"), about.dump(2) + "\n");
  }

  // Temporary files of processes that were killed while they wrote.
  void remove_leftovers() const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(request_.folder))
      if (entry.path().filename().string().find(".tmp-") != std::string::npos)
        fs::remove(entry.path(), ignored);
  }

  // Going on with other options or other data would be neither the old run nor a new one.
  void check_same_run() const {
    if (fs::exists(path("config.toml")) &&
        read_text_file(path("config.toml")) != request_.config_text)
      fail(
          "the run in {} was started with other options (its config.toml). Resume it with "
          "--config {}, or start anew with another --out.",
          request_.folder.string(), path("config.toml").string());
    const auto about = ordered_json::parse(read_text_file(path("run.json")), nullptr, false);
    if (about.is_object() && about.contains("dataset_hash") && about["dataset_hash"] != data_.hash)
      fail("the run in {} was started on other data (hash {}, now {}).", request_.folder.string(),
           about["dataset_hash"].dump(), data_.hash);
  }

  RunResult finished_before() {
    log_info(fmt::format("{} is finished already", request_.folder.string()));
    const auto metrics = ordered_json::parse(read_text_file(path("metrics.json")), nullptr, false);
    if (!metrics.is_object()) fail("{} is damaged.", path("metrics.json").string());
    result_.finished = result_.resumed = true;
    result_.epochs = metrics.value("epochs", 0U);
    result_.validated = metrics.contains("valid_recall@20");
    result_.best_metric = metrics.value("valid_recall@20", 0.0);
    result_.best_epoch = metrics.value("best_epoch", 0U);
    result_.last_loss = metrics.value("last_loss", 0.0);
    return result_;
  }

  void load_checkpoint(Trainer& trainer) {
    if (!fs::exists(path(kCheckpoint))) return;
    const TensorReader file(path(kCheckpoint));
    if (file.metadata("format") != kCheckpointFormat ||
        file.metadata("version") != kCheckpointVersion)
      fail("{} is not a checkpoint that this program can read.", file.file_name());
    trainer.load(file);
    uint64_t events = 0;
    double seconds[5] = {};
    file.read("events", std::span(&events, 1));
    file.read("seconds", std::span<double>(seconds));
    // Lines may be missing after a crash of the machine; then the log starts at what there is.
    std::error_code error;
    const auto size = fs::file_size(path("events.jsonl"), error);
    events_kept_ = error ? 0 : std::min<uint64_t>(events, size);
    result_.seconds = {seconds[0], seconds[1], seconds[2], seconds[3], seconds[4]};
    result_.resumed = true;
  }

  void write_checkpoint(const Trainer& trainer, uint64_t event_bytes) const {
    TensorWriter file;
    trainer.save(file);
    const PhaseSeconds& s = result_.seconds;
    const double seconds[] = {s.sampling, s.propagation, s.gradient, s.optimiser, s.evaluation};
    file.add("events", std::span<const uint64_t>(&event_bytes, 1));
    file.add("seconds", std::span<const double>(seconds));
    file.set_metadata("format", std::string(kCheckpointFormat));
    file.set_metadata("version", std::string(kCheckpointVersion));
    file.set_metadata("dataset_hash", data_.hash);
    file.write(path(kCheckpoint));
  }

  void summarise(const Trainer& trainer) {
    result_.finished = trainer.finished();
    result_.epochs = trainer.epochs_done();
    result_.validated = trainer.early_stopping().seen();
    result_.best_metric = trainer.early_stopping().best();
    result_.best_epoch = trainer.early_stopping().best_epoch();
  }

  void write_results(Trainer& trainer) const {
    ordered_json metrics = {{"epochs", result_.epochs}, {"last_loss", result_.last_loss}};
    if (result_.validated) {
      metrics["valid_recall@20"] = result_.best_metric;
      metrics["best_epoch"] = result_.best_epoch;
    }
    metrics["seconds"] = seconds_json(result_.seconds);
    write_file_atomically(path("metrics.json"), metrics.dump(2) + "\n");
    const auto [users, items] = trainer.finish();
    // The model comes last: where it is, the run is done.
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
    std::error_code ignored;
    fs::remove(path(kCheckpoint), ignored);
  }

  const RunRequest& request_;
  const RunData& data_;
  const RunHooks& hooks_;
  std::optional<FolderLock> lock_;
  RunResult result_;
  uint64_t events_kept_ = 0;
};

}  // namespace

RunResult run_training(const RunRequest& request, const RunData& data, std::unique_ptr<Model> model,
                       std::unique_ptr<Sampler> sampler, Validate validate,
                       const Executor& executor, const RunHooks& hooks) {
  Trainer trainer(request.config, std::move(model), std::move(sampler), data.train,
                  std::move(validate), executor);
  trainer.set_known_likes(data.known);
  return Run(request, data, hooks).go(trainer, executor);
}

}  // namespace divns
