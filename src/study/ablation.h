// SPDX-License-Identifier: Apache-2.0
// One factor at a time around a base configuration. Behind `divns ablate`.
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

// Those that have a name of their own: the parts of DivNS.
std::span<const AblationAxis> ablation_axes();

// A name of the above, or any option with values of one's own: "lambda", "l2=1e-4/1e-2/1".
AblationAxis parse_axis(const std::string& text);

// Adds for each axis a group of rows, one for each value. The row that equals the base is the
// group's reference; where no value does, the base itself is added. Values that do not go with the
// base are left out with a note.
void add_ablation_rows(const std::string& model, const std::string& sampler, const Settings& base,
                       const std::vector<AblationAxis>& axes, StudyRows& result);

}  // namespace divns
