// SPDX-License-Identifier: Apache-2.0
// Many runs, several at a time. The numbers are those of one run after the other: a run depends
// neither on its number of threads nor on its neighbours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "divns/study.h"
#include "study/run_store.h"

namespace divns {

struct RunnerOptions {
  int jobs = 1;     // runs at the same time
  int threads = 0;  // shared out among them; 0 is one for each core
};

// A run and what progress lines call it.
struct NamedRun {
  PlannedRun run;
  std::string name;
};

struct RunnerResult {
  bool complete = false;           // false: stopped; the same call goes on later
  std::vector<RunRecord> records;  // one per run, in the order of the request
};

// The first Error of a run ends the others after their epoch and is thrown.
RunnerResult execute_runs(const RunStore& store, std::span<const NamedRun> runs,
                          const RunDemand& demand, const RunnerOptions& options,
                          const StudyCallbacks& hooks);

}  // namespace divns
