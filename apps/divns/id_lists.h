// SPDX-License-Identifier: Apache-2.0
// Ids as people give them, on the command line or one a line in a file, turned into numbers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divns/model.h"

namespace divns::app {

// The lines of a file without line ends and without empty ones.
std::vector<std::string> read_lines(const std::string& path);

// Refuses an unknown id; `where` says where it was given.
std::vector<uint32_t> find_users(const TrainedModel& model, std::span<const std::string> ids,
                                 std::string_view where);
std::vector<uint32_t> find_items(const TrainedModel& model, std::span<const std::string> ids,
                                 std::string_view where);

}  // namespace divns::app
