// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "divns/parallel.h"
#include "divns/table.h"
#include "models/model.h"
#include "samplers/replay.h"
#include "train/config.h"
#include "train/initial_rows.h"

namespace divns {

// Fills a table of parameters: Xavier-uniform U(-b, b) with b = sqrt(6 / (rows + dim)), or normal.
void initialise(Table& table, const TrainConfig& config, std::string_view purpose,
                const Executor& executor);
// Some rows of such a table of `rows` rows: row j of `part` is row numbers[j]; no numbers: row j.
void initialise_part(Table& part, std::span<const uint32_t> numbers, uint32_t rows,
                     const TrainConfig& config, std::string_view purpose, const Executor& executor);
// Both tables of a model: from the seed of the config, or from a replay or an earlier model if
// there is one. Rows that the earlier model does not have are random. With init = svd they are
// normal deviates, because singular vectors of now do not share a basis with the rows of then.
void initialise(Model& model, const Interactions& train, const TrainConfig& config,
                const Replay* replay, const InitialRows* initial, const Executor& executor);

}  // namespace divns
