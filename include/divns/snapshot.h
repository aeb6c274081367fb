// SPDX-License-Identifier: Apache-2.0
// What a sampler did for one user in one epoch, for the map of a report. The option `record_users`
// turns the recording on; it does not change the training. A sampler of your own takes part by
// deriving from SnapshotSource as well as from Sampler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace divns {

struct UserSnapshot {
  uint32_t user = 0;
  // Items by role, for some of the user's positives: "positives" has one item per positive, "hard"
  // and "diverse" as many in the same order, "candidates" and "cache" the same number for each
  // positive. Roles that a sampler does not have are missing.
  std::vector<std::pair<std::string, std::vector<uint32_t>>> items;
};

class SnapshotSource {
 public:
  virtual ~SnapshotSource() = default;
  // Called at the end of an epoch, for the first `positives` positives of the user.
  virtual UserSnapshot snapshot(uint32_t epoch, uint32_t user, size_t positives) const = 0;
};

}  // namespace divns
