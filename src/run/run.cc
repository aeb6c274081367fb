// SPDX-License-Identifier: Apache-2.0
#include "run/run.h"

#include <array>
#include <optional>

#include "base/check.h"
#include "divns/stopwatch.h"
#include "divns/tensors.h"
#include "io/model_file.h"
#include "run/checkpoint.h"
#include "run/events.h"
#include "run/run_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

class TrainingLoop {
 public:
  TrainingLoop(const RunRequest& request, const RunData& data, const TrainCallbacks& hooks,
               const Executor& executor)
      : request_(request), data_(data), hooks_(hooks), folder_(request, data, executor) {}

  RunResult go(EpochTrainer& trainer) {
    if (folder_.has(kModelFileName)) return folder_.finished_before();
    load_checkpoint(trainer);
    EventLog events(path(kEventsName), events_kept_);
    Stopwatch since_checkpoint;
    while (!is_finished(trainer) && !is_paused(trainer)) {
      EpochReport report;
      try {
        report = run_epoch(trainer);
      } catch (const Cancelled&) {  // the epoch is abandoned; the last checkpoint stays
        break;
      }
      events.append(report, trainer.snapshots());
      result_.seconds += report.seconds;
      result_.last_loss = report.loss / static_cast<double>(report.batches);
      ended_ = hooks_.on_epoch && !hooks_.on_epoch(report);
      const bool stop = !is_finished(trainer) && (stop_asked() || is_paused(trainer));
      if (stop || since_checkpoint.seconds() >= request_.checkpoint_seconds) {
        events.sync();
        write_checkpoint(trainer, events.bytes());
        since_checkpoint.lap();
      }
      if (stop) break;
    }
    summarise(trainer);
    if (result_.finished) {
      events.sync();
      // Before the results: finish() leaves the trainer with the best parameters.
      if (request_.keep_checkpoint) write_checkpoint(trainer, events.bytes());
      write_results(trainer);
    }
    return result_;
  }

 private:
  bool stop_asked() const { return hooks_.stop != nullptr && *hooks_.stop; }

  EpochReport run_epoch(EpochTrainer& trainer) const {
    std::optional<Stopwatch> since_asked;
    return trainer.run_epoch([&](double share) {
      if (hooks_.on_progress) hooks_.on_progress(trainer.epochs_done(), share);
      if (share >= 1 || !stop_asked()) return;
      if (!since_asked) since_asked.emplace();
      if (since_asked->seconds() >= hooks_.grace_seconds) throw Cancelled();
    });
  }

  fs::path path(std::string_view name) const { return folder_.path(name); }

  bool is_finished(const EpochTrainer& trainer) const { return ended_ || trainer.finished(); }

  bool is_paused(const EpochTrainer& trainer) const {
    return request_.pause_after && trainer.epochs_done() >= *request_.pause_after;
  }

  void load_checkpoint(EpochTrainer& trainer) {
    if (!folder_.has(kCheckpointName)) return;
    const CheckpointFile file(path(kCheckpointName), path(kEventsName));
    file.require_same_run(identity());
    trainer.load(file.tensors());
    const auto seconds = file.seconds();
    for (size_t p = 0; p < std::size(kPhases); ++p)
      result_.seconds.*kPhases[p].seconds = seconds[p];
    events_kept_ = file.event_bytes();
    result_.resumed = true;
  }

  void write_checkpoint(EpochTrainer& trainer, uint64_t event_bytes) const {
    TensorWriter file;
    trainer.save(file);
    std::array<double, std::size(kPhases)> seconds;
    for (size_t p = 0; p < seconds.size(); ++p) seconds[p] = result_.seconds.*kPhases[p].seconds;
    divns::write_checkpoint(path(kCheckpointName), file, identity(), seconds, path(kEventsName),
                            event_bytes);
    if (hooks_.on_checkpoint) hooks_.on_checkpoint(path(kCheckpointName), trainer.epochs_done());
  }

  CheckpointIdentity identity() const {
    return {request_.config.seed, request_.config_text, data_.hash};
  }

  void summarise(const EpochTrainer& trainer) {
    result_.finished = is_finished(trainer);
    result_.epochs = trainer.epochs_done();
    result_.validated = trainer.early_stopping().seen();
    result_.metric_name = request_.config.valid_metric;
    result_.best_metric = trainer.early_stopping().best();
    result_.best_epoch = trainer.early_stopping().best_epoch();
  }

  void write_results(EpochTrainer& trainer) const {
    const auto [users, items] = trainer.finish();
    ModelContents model = {.user_vectors = users, .item_vectors = items};
    if (const auto parameters = trainer.parameters();
        parameters.users.data != users.data || parameters.items.data != items.data) {
      model.user_parameters = parameters.users;
      model.item_parameters = parameters.items;
    }
    folder_.write_results(result_, model);
    if (request_.keep_checkpoint) return;
    std::error_code ignored;
    fs::remove(path(kCheckpointName), ignored);
  }

  const RunRequest& request_;
  const RunData& data_;
  const TrainCallbacks& hooks_;
  RunFolder folder_;
  RunResult result_;
  uint64_t events_kept_ = 0;
  bool ended_ = false;  // by the callback
};

}  // namespace

RunResult run_epochs(const RunRequest& request, const RunData& data, EpochTrainer& trainer,
                     const Executor& executor, const TrainCallbacks& hooks) {
  return TrainingLoop(request, data, hooks, executor).go(trainer);
}

RunResult run_training(const RunRequest& request, const RunData& data, TrainerParts parts,
                       Validate validate, const Executor& executor, const TrainCallbacks& hooks) {
  Trainer trainer(request.config, std::move(parts), data.train, std::move(validate), executor);
  trainer.set_known_likes(data.known);
  return run_epochs(request, data, trainer, executor, hooks);
}

}  // namespace divns
