// SPDX-License-Identifier: Apache-2.0
// A tuning for people and programs.
#pragma once

#include <filesystem>

#include "base/json_fwd.h"
#include "report/table.h"
#include "study/tuning.h"

namespace divns {

Json tuning_request_json(const Dataset& data, const TuningRequest& request,
                         const TuningResult& planned);
Json tuning_json(const Dataset& data, const TuningRequest& request, const TuningResult& result);

// One row a row: the winner's settings, its validation, and that of the row as it stood.
ReportTable winners_table(const TuningResult& result);
// One row a trial.
ReportTable trials_table(const TuningResult& result);

// study.json, winners.*, trials.csv, best.toml and commands.sh.
void write_tuning(const std::filesystem::path& folder, const Dataset& data,
                  const TuningStudy& study, const TuningResult& result);

}  // namespace divns
