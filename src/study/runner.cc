// SPDX-License-Identifier: Apache-2.0
#include "study/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "divns/stopwatch.h"

namespace divns {
namespace {

// Who has done what, told to the hook one at a time.
class Board {
 public:
  Board(size_t total, int jobs, const StudyCallbacks& hooks) : hooks_(hooks), jobs_(jobs) {
    progress_.total = total;
  }

  void working(const std::string& name, uint32_t epoch) {
    const std::lock_guard lock(mutex_);
    progress_.current = fmt::format("{}, epoch {}", name, epoch);
    tell();
  }
  // `seconds` is negative for a run that was found.
  void done(const std::string& name, double seconds) {
    const std::lock_guard lock(mutex_);
    ++progress_.done;
    progress_.current = name;
    if (seconds >= 0) {
      seconds_ += seconds;
      ++timed_;
    }
    tell();
  }

 private:
  void tell() {
    const auto left = static_cast<double>(progress_.total - progress_.done);
    if (timed_ > 0) {
      progress_.seconds_per_run = seconds_ / static_cast<double>(timed_) / jobs_;
      progress_.seconds_left = progress_.seconds_per_run * left;
    }
    if (hooks_.on_progress) hooks_.on_progress(progress_);
  }

  const StudyCallbacks& hooks_;
  int jobs_;
  std::mutex mutex_;
  StudyProgress progress_;
  double seconds_ = 0;
  size_t timed_ = 0;
};

}  // namespace

RunnerResult execute_runs(const RunStore& store, std::span<const NamedRun> runs,
                          const RunDemand& demand, const RunnerOptions& options,
                          const StudyCallbacks& hooks) {
  const int jobs =
      std::clamp<int>(options.jobs, 1, std::max<int>(1, static_cast<int>(runs.size())));
  const int threads = Executor(options.threads).threads();
  RunnerResult result;
  result.records.resize(runs.size());

  // A run that is asked for twice is executed once; firsts[i] is where.
  std::map<std::string, size_t> first_of;
  std::vector<size_t> firsts;
  for (size_t i = 0; i < runs.size(); ++i)
    firsts.push_back(first_of.try_emplace(runs[i].run.id, i).first->second);
  Board board(first_of.size(), jobs, hooks);
  std::atomic<bool> stop = false;
  std::atomic<size_t> next = 0;
  std::atomic<size_t> finished = 0;
  const auto is_stopping = [&] {
    if (hooks.stop != nullptr && *hooks.stop) stop = true;
    return stop.load();
  };

  const auto execute = [&](const NamedRun& named, RunRecord& record, const Executor& executor) {
    const Stopwatch watch;
    const bool found = store.has(named.run, demand);
    const TrainCallbacks run_hooks{.on_epoch =
                                       [&](const EpochReport& report) {
                                         is_stopping();
                                         board.working(named.name, report.epoch);
                                         return true;
                                       },
                                   .on_progress = {},
                                   .stop = &stop};
    record = store.execute(named.run, demand, executor, run_hooks);
    const bool paused = demand.pause_after && record.epochs >= *demand.pause_after;
    if (!record.finished && !paused) return;
    ++finished;
    board.done(named.name, found ? -1 : watch.seconds());
  };
  const auto work = [&] {
    Executor executor(std::max(1, threads / jobs));
    executor.cancel_on(hooks.cancel);
    while (!is_stopping()) {
      const size_t at = next++;
      if (at >= runs.size()) return;
      if (firsts[at] == at) execute(runs[at], result.records[at], executor);
    }
  };
  Executor(jobs).run(static_cast<size_t>(jobs), [&](int, size_t) {
    try {
      work();
    } catch (...) {
      stop = true;
      throw;
    }
  });
  result.complete = finished == first_of.size();
  for (size_t i = 0; i < runs.size(); ++i)
    if (firsts[i] != i) result.records[i] = result.records[firsts[i]];
  return result;
}

}  // namespace divns
