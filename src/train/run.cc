// SPDX-License-Identifier: Apache-2.0
#include "train/run.h"

#include <optional>

#include "base/check.h"
#include "base/stopwatch.h"
#include "io/model_file.h"
#include "io/safetensors.h"
#include "train/events.h"
#include "train/run_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCheckpoint = "checkpoint.safetensors";
constexpr std::string_view kCheckpointFormat = "divns-checkpoint";
constexpr std::string_view kCheckpointVersion = "1";

PhaseSeconds sum(const PhaseSeconds& a, const PhaseSeconds& b) {
  return {a.sampling + b.sampling, a.propagation + b.propagation, a.gradient + b.gradient,
          a.optimiser + b.optimiser, a.evaluation + b.evaluation};
}

struct EpochAbandoned {};

class Run {
 public:
  Run(const RunRequest& request, const RunData& data, const RunHooks& hooks,
      const Executor& executor)
      : request_(request), data_(data), hooks_(hooks), folder_(request, data, executor) {}

  RunResult go(Trainer& trainer) {
    if (fs::exists(path(kModelFileName))) return folder_.finished_before();
    load_checkpoint(trainer);
    EventLog events(path("events.jsonl"), events_kept_);
    Stopwatch since_checkpoint;
    while (!trainer.finished() && !is_paused(trainer)) {
      EpochReport report;
      try {
        report = run_epoch(trainer);
      } catch (const EpochAbandoned&) {
        break;
      }
      events.append(report);
      result_.seconds = sum(result_.seconds, report.seconds);
      result_.last_loss = report.loss / static_cast<double>(report.batches);
      if (hooks_.on_epoch) hooks_.on_epoch(report);
      const bool stop = !trainer.finished() && (stop_asked() || is_paused(trainer));
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
  bool stop_asked() const { return hooks_.stop != nullptr && *hooks_.stop; }

  EpochReport run_epoch(Trainer& trainer) const {
    std::optional<Stopwatch> since_asked;
    return trainer.run_epoch([&](double share) {
      if (hooks_.on_progress) hooks_.on_progress(trainer.epochs_done(), share);
      if (share >= 1 || !stop_asked()) return;
      if (!since_asked) since_asked.emplace();
      if (since_asked->seconds() >= hooks_.grace_seconds) throw EpochAbandoned();
    });
  }

  fs::path path(std::string_view name) const { return folder_.path(name); }

  bool is_paused(const Trainer& trainer) const {
    return request_.pause_after && trainer.epochs_done() >= *request_.pause_after;
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
    folder_.write_metrics(result_);
    const auto [users, items] = trainer.finish();
    folder_.write_model(users, items);
    std::error_code ignored;
    fs::remove(path(kCheckpoint), ignored);
  }

  const RunRequest& request_;
  const RunData& data_;
  const RunHooks& hooks_;
  RunFolder folder_;
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
  return Run(request, data, hooks, executor).go(trainer);
}

}  // namespace divns
