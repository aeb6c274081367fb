// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "divns/parallel.h"
#include "divns/table.h"
#include "models/model.h"
#include "samplers/replay.h"
#include "train/config.h"

namespace divns {

// Fills a table of parameters: Xavier-uniform U(-b, b) with b = sqrt(6 / (rows + dim)), or normal.
void initialise(Table& table, const TrainConfig& config, std::string_view purpose,
                const Executor& executor);
// Some rows of such a table of `rows` rows: row j of `part` is row numbers[j]; no numbers: row j.
void initialise_part(Table& part, std::span<const uint32_t> numbers, uint32_t rows,
                     const TrainConfig& config, std::string_view purpose, const Executor& executor);
// Both tables of a model, from the seed of the config or from a replay, if there is one.
void initialise(Model& model, const Interactions& train, const TrainConfig& config,
                const Replay* replay, const Executor& executor);

}  // namespace divns
