// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "serve/model_slot.h"

namespace divns {

// Lists that one request asks for: a profile and the items to leave out for each of them.
struct ListJob {
  size_t request = 0;               // position in the batch of requests
  std::vector<std::string> labels;  // of the lists
  UserProfiles profiles;
  std::vector<uint64_t> offsets = {0};  // of `excluded`, lists + 1
  std::vector<uint32_t> excluded;       // row by row, ascending
  std::optional<std::vector<uint32_t>> allowed;
  uint32_t k = 10;
  bool single = true;  // the answer is one list, not an array of lists

  size_t lists() const { return labels.size(); }
  // The next list. Its profile is added by the caller.
  void add(std::string label, std::span<const uint32_t> seen, std::span<const uint32_t> denied);
};

// Makes the lists of several jobs in one pass over the items. Returns the body of each answer.
std::vector<std::string> make_lists(const ServedModel& served, std::span<const ListJob> jobs);

}  // namespace divns
