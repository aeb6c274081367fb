// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace divns {

// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

}  // namespace divns
