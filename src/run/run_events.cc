// SPDX-License-Identifier: Apache-2.0
#include "run/run_events.h"

#include <algorithm>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "run/checkpoint.h"

namespace divns {

namespace fs = std::filesystem;
namespace {

std::optional<double> number_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

// Lists that are no lists of item numbers are left out.
std::vector<UserSnapshot> snapshots_of(const Json& event) {
  std::vector<UserSnapshot> snapshots;
  const auto users = event.find("users");
  if (users == event.end() || !users->is_array()) return snapshots;
  for (const Json& entry : *users) {
    const auto user = entry.is_object() ? entry.find("user") : entry.end();
    if (user == entry.end() || !user->is_number_unsigned()) continue;
    UserSnapshot& snapshot = snapshots.emplace_back();
    snapshot.user = user->get<uint32_t>();
    for (const auto& [role, items] : entry.items()) {
      const bool are_items =
          items.is_array() && std::all_of(items.begin(), items.end(), [](const Json& item) {
            return item.is_number_unsigned() && item.get<uint64_t>() <= UINT32_MAX;
          });
      if (are_items) snapshot.items.emplace_back(role, items.get<std::vector<uint32_t>>());
    }
  }
  return snapshots;
}

MappedFile open_log(const fs::path& path) {
  return has_own_file(path) ? MappedFile(path, Links::kRefuse, kLargestText) : MappedFile();
}

}  // namespace

std::vector<RunEvent> parse_run_events(std::string_view log) {
  std::vector<RunEvent> events;
  for (size_t end = log.find('\n'); end != std::string_view::npos; end = log.find('\n')) {
    const auto json = parse_json_if_valid(log.substr(0, end));
    log.remove_prefix(end + 1);
    if (!json.is_object() || json.value("epoch", Json()) != events.size()) break;
    RunEvent& event = events.emplace_back();
    // The validation metric is the only key with a cutoff, as in "recall@20".
    for (const auto& [name, value] : json.items())
      if (name.find('@') != std::string::npos && value.is_number())
        event.valid = value.get<double>();
    const auto negatives = json.find("negatives");
    if (negatives != json.end() && negatives->is_object())
      for (const auto& [name, value] : negatives->items())
        if (value.is_number()) event.negatives.emplace_back(name, value.get<double>());
    event.mean_loss = number_at(json, "mean_loss");
    event.hardness = number_at(json, "hardness");
    event.users = snapshots_of(json);
    const auto seconds = json.find("seconds");
    if (seconds != json.end() && seconds->is_object())
      for (const Phase& phase : kPhases)
        event.seconds.*phase.seconds = number_at(*seconds, phase.name).value_or(0);
  }
  return events;
}

std::vector<RunEvent> read_run_events(const fs::path& run_folder) {
  const fs::path path = run_folder / kEventsName;
  const fs::path metrics_path = run_folder / "metrics.json";
  const fs::path checkpoint = run_folder / kCheckpointName;
  const MappedFile log = open_log(path);
  if (has_own_file(metrics_path)) {
    const Json metrics = read_sealed_json(metrics_path.string());
    const std::string hash = json_string(metrics, "events_hash", "", metrics_path.string());
    if (!hash.empty() && hash128_hex(log.bytes()) != hash)
      fail(
          "{} was changed or removed after the run was finished; remove the run's folder to have "
          "it repeated.",
          path.string());
    return parse_run_events(log.text());
  }
  if (log.bytes().empty() || !has_own_file(checkpoint)) return {};
  return parse_run_events(log.text().substr(0, CheckpointFile(checkpoint, path).event_bytes()));
}

std::vector<RunEvent> read_events_so_far(const fs::path& run_folder) {
  return parse_run_events(open_log(run_folder / kEventsName).text());
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
