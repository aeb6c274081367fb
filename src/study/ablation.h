// SPDX-License-Identifier: Apache-2.0
// Varies one option at a time around base settings. Used by `divns ablate`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "study/variants.h"

namespace divns {

struct AblationAxis {
  std::string name;    // "lambda"
  std::string option;  // "divns.lambda"
  std::vector<std::string> values;
};

// The axes with a name: the parts of DivNS.
std::span<const AblationAxis> ablation_axes();

// Parses the name of such an axis, or any option with its values: "lambda", "l2=1e-4/1e-2/1".
AblationAxis parse_axis(const std::string& text);

// Adds a group of rows for each axis, one row per value. The row that equals the base is the
// reference of its group; if no value does, the base itself is added. Values that are invalid with
// the base are left out with a note.
void add_ablation_rows(const std::string& model, const std::string& sampler, const Settings& base,
                       const std::vector<AblationAxis>& axes, StudyRows& result);

}  // namespace divns
