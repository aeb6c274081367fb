// SPDX-License-Identifier: Apache-2.0
#include "run/events.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/files.h"
#include "base/json.h"
#include "base/temporary_names.h"

namespace divns {

namespace {

Json snapshot_json(const UserSnapshot& snapshot) {
  Json json = {{"user", snapshot.user}};
  for (const auto& [role, items] : snapshot.items) json[role] = items;
  return json;
}

}  // namespace

std::string event_line(const EpochReport& report, const std::vector<UserSnapshot>& users) {
  Json event;
  event["epoch"] = report.epoch;
  event["loss"] = report.loss;
  event["mean_loss"] = report.loss / static_cast<double>(report.batches);
  event["hardness"] = report.hardness;
  if (report.metric) {
    event[report.metric_name] = *report.metric;
    event["best"] = report.improved;
  }
  for (const Phase& phase : kPhases) event["seconds"][phase.name] = report.seconds.*phase.seconds;
  if (report.bytes_sent > 0) event["bytes_sent"] = report.bytes_sent;
  if (report.bytes_on_disk > 0) event["bytes_on_disk"] = report.bytes_on_disk;
  if (report.negatives)
    for (const auto& [name, value] : report.negatives->named()) event["negatives"][name] = value;
  for (const auto& [name, value] : report.sampler) event["sampler"][name] = value;
  for (const UserSnapshot& user : users) event["users"].push_back(snapshot_json(user));
  return json_line(event) + "\n";
}

EventLog::EventLog(const std::filesystem::path& path, uint64_t keep) : name_(path.string()) {
  has_own_file(path);  // a link or a FIFO of this name is refused
  descriptor_ =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  const auto size = static_cast<off_t>(keep);
  if (descriptor_ < 0 || ::ftruncate(descriptor_, size) != 0 ||
      ::lseek(descriptor_, size, SEEK_SET) != size) {
    const int error = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    fail_to_write(name_, error);
  }
  bytes_ = keep;
}

EventLog::~EventLog() {
  ::close(descriptor_);
}

void EventLog::append(const EpochReport& report, const std::vector<UserSnapshot>& users) {
  const std::string line = event_line(report, users);
  for (size_t done = 0; done < line.size();) {
    const ssize_t written = ::write(descriptor_, line.data() + done, line.size() - done);
    if (written < 0 && errno != EINTR) fail_to_write(name_, errno);
    if (written > 0) done += static_cast<size_t>(written);
  }
  bytes_ += line.size();
}

void EventLog::sync() const {
  if (::fdatasync(descriptor_) != 0) fail_to_write(name_, errno);
}

}  // namespace divns
