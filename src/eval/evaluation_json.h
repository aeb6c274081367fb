// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_fwd.h"
#include "divns/evaluate.h"

namespace divns {

// Means, exposure and groups as one JSON object; per-user values have their own file.
//   {"users": 943, "metrics": {"recall@20": ..}, "exposure": {"20": {"coverage": ..}},
//    "by_activity": [{"low": .., "high": .., "users": .., "metrics": {..}}, ..],
//    "by_popularity": [{"low": .., "high": .., "items": .., "relevant": ..,
//                       "at": {"20": {"recall": .., "share": ..}}}, ..]}
Json evaluation_values(const Evaluation& evaluation);

}  // namespace divns
