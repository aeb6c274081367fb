// SPDX-License-Identifier: Apache-2.0
// Many runs, several at a time. The numbers are those of one run after the other: a run depends
// neither on its number of threads nor on its neighbours.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "study/run_store.h"

namespace divns {

struct RunnerOptions {
  int jobs = 1;     // runs at the same time
  int threads = 0;  // shared out among them; 0 is one for each core
};

struct StudyProgress {
  size_t done = 0;
  size_t total = 0;
  std::string current;       // the run that reported last: "mf dns seed 2, epoch 35"
  double seconds_left = -1;  // a guess by the runs done so far; negative while there is none
};

struct StudyHooks {
  // Called often, from any thread but never twice at a time.
  std::function<void(const StudyProgress&)> on_progress = {};
  // When it becomes true the runs under way end after their epoch, with a checkpoint.
  const std::atomic<bool>* stop = nullptr;
};

// A run and what progress lines call it.
struct NamedRun {
  PlannedRun run;
  std::string name;
};

struct RunnerResult {
  bool complete = false;           // false: stopped; the same call goes on later
  std::vector<RunRecord> records;  // by run, in the order given
};

// The first Error of a run ends the others after their epoch and is thrown.
RunnerResult execute_runs(const RunStore& store, std::span<const NamedRun> runs,
                          const RunDemand& demand, const RunnerOptions& options,
                          const StudyHooks& hooks);

}  // namespace divns
