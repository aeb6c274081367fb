// SPDX-License-Identifier: Apache-2.0
// From original ids, as people write them, to row numbers of a model.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divns/model.h"

namespace divns {

// The lines of a file, without line ends and without empty lines.
std::vector<std::string> read_lines(const std::string& path);

// Throws Error for an unknown id. `where` names the place where the ids were given.
std::vector<uint32_t> find_users(const TrainedModel& model, std::span<const std::string> ids,
                                 std::string_view where);
std::vector<uint32_t> find_items(const TrainedModel& model, std::span<const std::string> ids,
                                 std::string_view where);

}  // namespace divns
