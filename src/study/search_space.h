// SPDX-License-Identifier: Apache-2.0
// Where a tuner looks: for a model and sampler, the options that declare a tuning range.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "study/variants.h"

namespace divns {

struct SearchAxis {
  std::string name;
  TuneRange range;
  bool whole = false;  // numbers are rounded
};

// Every option with a tuning range that a run of this row looks at, but for those of these names
// and those that the row's own settings fix.
std::vector<SearchAxis> declared_space(const StudyRow& row, std::span<const std::string> fixed);
// The paper's grid for the row's sampler.
std::vector<SearchAxis> paper_space(const StudyRow& row);

// `trials` settings of the axes, all different, the same for the same seed:
//   * The first is empty: the row as it stands.
//   * Each axis by itself is spread evenly (a Latin hypercube).
//   * An axis that two samplers share has the same values in the same trials, so that none of them
//     is merely luckier with its learning rates.
// Combinations that `accepts` refuses are drawn again. Fewer than `trials` where the axes do not
// have as many combinations.
std::vector<Settings> draw_trials(std::span<const SearchAxis> axes, size_t trials, uint64_t seed,
                                  const std::function<bool(const Settings&)>& accepts);

}  // namespace divns
