// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "divns/log.h"

namespace divns {

void log_info(std::string_view message);
void log_warning(std::string_view message);

}  // namespace divns
