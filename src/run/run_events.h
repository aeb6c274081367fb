// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "divns/snapshot.h"
#include "divns/train.h"

namespace divns {

// What is read from one line of events.jsonl.
struct RunEvent {
  std::optional<double> valid;  // validation metric, where a validation was due
  std::vector<std::pair<std::string, double>> negatives;
  std::optional<double> mean_loss;
  std::optional<double> hardness;
  PhaseSeconds seconds;
  std::vector<UserSnapshot> users;  // those that were recorded
};

// One entry per epoch, from epoch 0 on: those that the run vouches for. A finished run has the hash
// of its log in metrics.json, one that was stopped has it in its checkpoint, up to the epoch of the
// checkpoint. Throws Error where the log does not match. Runs of older versions have no hash; their
// log ends before the first line that is damaged.
std::vector<RunEvent> read_run_events(const std::filesystem::path& run_folder);
// The log as it stands, also that of a run that is still training: every line that is complete.
std::vector<RunEvent> read_events_so_far(const std::filesystem::path& run_folder);
// The lines of a log, to the first that is not an event.
std::vector<RunEvent> parse_run_events(std::string_view log);

// Mean over the events that have the figure, in the order in which figures first appear.
std::vector<std::pair<std::string, double>> mean_negatives(const std::vector<RunEvent>& events);

}  // namespace divns
