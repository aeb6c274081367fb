// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "divns/snapshot.h"
#include "train/trainer.h"

namespace divns {

// One JSON document on one line.
std::string event_line(const EpochReport& report, const std::vector<UserSnapshot>& users = {});

// events.jsonl: grows by one line per epoch. A run that is resumed cuts off what came after its
// checkpoint.
class EventLog {
 public:
  // Keeps the first `keep` bytes of what is there.
  EventLog(const std::filesystem::path& path, uint64_t keep);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  void append(const EpochReport& report, const std::vector<UserSnapshot>& users = {});
  // Before a checkpoint counts on the lines so far.
  void sync() const;
  uint64_t bytes() const { return bytes_; }

 private:
  std::string name_;
  int descriptor_ = -1;
  uint64_t bytes_ = 0;
};

}  // namespace divns
