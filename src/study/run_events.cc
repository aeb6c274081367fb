// SPDX-License-Identifier: Apache-2.0
#include "study/run_events.h"

#include <algorithm>
#include <fstream>

#include "base/json.h"

namespace divns {

std::vector<RunEvent> read_run_events(const std::filesystem::path& run_folder) {
  std::vector<RunEvent> events;
  std::ifstream file(run_folder / "events.jsonl");
  for (std::string line; std::getline(file, line) && !file.eof();) {
    const auto json = parse_json_if_valid(line);
    if (!json.is_object() || json.value("epoch", Json()) != events.size()) break;
    RunEvent& event = events.emplace_back();
    const auto valid = json.find("recall@20");
    if (valid != json.end() && valid->is_number()) event.valid = valid->get<double>();
    const auto negatives = json.find("negatives");
    if (negatives != json.end() && negatives->is_object())
      for (const auto& [name, value] : negatives->items())
        if (value.is_number()) event.negatives.emplace_back(name, value.get<double>());
  }
  return events;
}

std::vector<std::pair<std::string, double>> mean_negatives(const std::vector<RunEvent>& events) {
  std::vector<std::pair<std::string, double>> means;
  std::vector<size_t> counts;
  for (const RunEvent& event : events)
    for (const auto& measured : event.negatives) {
      const auto at = std::find_if(means.begin(), means.end(),
                                   [&](const auto& mean) { return mean.first == measured.first; });
      const auto index = static_cast<size_t>(at - means.begin());
      if (at == means.end()) {
        means.emplace_back(measured.first, 0);
        counts.push_back(0);
      }
      means[index].second += measured.second;
      ++counts[index];
    }
  for (size_t i = 0; i < means.size(); ++i) means[i].second /= static_cast<double>(counts[i]);
  return means;
}

}  // namespace divns
