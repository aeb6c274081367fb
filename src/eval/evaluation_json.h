// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "eval/evaluate.h"

namespace divns {

// Means, exposure and groups as one JSON object; per-user values have their own file.
//   {"users": 943, "metrics": {"recall@20": ..}, "exposure": {"20": {"coverage": ..}},
//    "by_activity": [{"low": .., "high": .., "users": .., "metrics": {..}}, ..],
//    "by_popularity": [{"low": .., "high": .., "items": .., "relevant": ..,
//                       "at": {"20": {"recall": .., "share": ..}}}, ..]}
std::string evaluation_json(const Evaluation& evaluation);

}  // namespace divns
