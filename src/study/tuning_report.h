// SPDX-License-Identifier: Apache-2.0
// Output of a tuning: JSON, tables, files.
#pragma once

#include <filesystem>

#include "base/json_fwd.h"
#include "report/table.h"
#include "study/tuning.h"

namespace divns {

Json tuning_request_json(const Dataset& data, const TuningRequest& request,
                         const TuningResult& planned);
Json tuning_json(const Dataset& data, const TuningRequest& request, const TuningResult& result);

// One line per row: the winner's settings, its validation, and the validation of the default
// settings.
ReportTable winners_table(const TuningResult& result);
// One line per trial.
ReportTable trials_table(const TuningResult& result);

// Writes study.json, winners.*, trials.csv, best.toml and commands.sh.
void write_tuning(const std::filesystem::path& folder, const Dataset& data,
                  const TuningStudy& study, const TuningResult& result);

}  // namespace divns
