// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace divns {

// What a study reads from one line of events.jsonl.
struct RunEvent {
  std::optional<double> valid;  // Recall@20, where a validation was due
  std::vector<std::pair<std::string, double>> negatives;
};

// One entry an epoch, from epoch 0 on. Ends before the first line that is damaged or not there:
// that is where a run was killed while it wrote.
std::vector<RunEvent> read_run_events(const std::filesystem::path& run_folder);

// Mean over the events that have the figure, in the order in which figures first appear.
std::vector<std::pair<std::string, double>> mean_negatives(const std::vector<RunEvent>& events);

}  // namespace divns
