// SPDX-License-Identifier: Apache-2.0
#include "study/study_folder.h"

#include <algorithm>

#include "base/check.h"
#include "base/escape.h"
#include "base/files.h"
#include "base/json.h"
#include "base/machine.h"
#include "divns/options.h"
#include "divns/study.h"
#include "divns/version.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRequest = "request.json";
constexpr std::string_view kNoMatter[] = {
    "threads", "jobs", "quiet", "json", "out", "runs", "checkpoint_seconds", "live"};

// Other than what a process leaves that is killed while it writes its first file.
bool holds_something(const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  return !error && std::any_of(begin(entries), end(entries), [](const auto& entry) {
    return !is_temporary_name(entry.path().filename().string());
  });
}

}  // namespace

StudyFolder::StudyFolder(fs::path folder, const Json& request) : folder_(std::move(folder)) {
  const fs::path file = folder_ / kRequest;
  const std::string text = json_text(request) + "\n";
  const bool has_study = has_own_file(file);
  if (!has_study && holds_something(folder_))
    fail("{} is not empty and holds no study. Give another --out.", folder_.string());
  if (has_study && read_text_file(file, Links::kRefuse) != text)
    fail(
        "{} holds another study (see its {}). Give another --out; --runs {} takes over the runs "
        "that both have.",
        folder_.string(), kRequest, (folder_ / "runs").string());
  make_folder(folder_);
  // The runs of a study are its own; runs that are shared are named with --runs.
  if (fs::is_symlink(folder_ / "runs"))
    fail(
        "{} is a symbolic link; links inside a study are not followed. Name that folder with "
        "--runs.",
        (folder_ / "runs").string());
  lock_.emplace(folder_);
  remove_leftovers(folder_);
  if (!has_study) write_file_atomically(file, text);
}

Json study_header(const std::string& verb, const std::string& command, const Dataset& data) {
  return {{"format", "divns-study"},
          {"version", 1},
          {"verb", verb},
          {"command", command},
          {"divns_version", kVersion},
          {"machine", machine_description()},
          {"dataset",
           {{"hash", data.hash()},
            {"users", data.users()},
            {"items", data.items()},
            {"train_pairs", data.train().pairs()},
            {"valid_pairs", data.valid().pairs()}}}};
}

std::string repeat_command(const std::string& verb, const Options& options) {
  std::string command = "divns " + verb;
  for (const Option& option : options.all()) {
    if (option.source() == OptionSource::kDefault || option.source() == OptionSource::kPreset)
      continue;
    if (std::find(std::begin(kNoMatter), std::end(kNoMatter), option.name()) != std::end(kNoMatter))
      continue;
    std::string flag = option.name();
    std::replace(flag.begin(), flag.end(), '_', '-');
    if (!option.is_flag())
      command += fmt::format(" --{} {}", flag, escape_shell(option.value()));
    else if (option.value() != option.default_text())
      command += fmt::format(" --{}{}", option.value() == "true" ? "" : "no-", flag);
  }
  return command;
}

}  // namespace divns
