// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/parallel.h"
#include "base/table.h"
#include "train/config.h"

namespace divns {

// Fills a table of parameters: Xavier-uniform U(-b, b) with b = sqrt(6 / (rows + dim)), or normal.
void initialise(Table& table, const TrainConfig& config, std::string_view purpose,
                const Executor& executor);

}  // namespace divns
