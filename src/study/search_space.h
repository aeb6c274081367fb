// SPDX-License-Identifier: Apache-2.0
// Search space of tuning: for a model and sampler, the options that declare a tuning range.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divns/options.h"
#include "study/variants.h"

namespace divns {

struct SearchAxis {
  std::string name;
  TuneRange range;
  bool whole = false;  // numbers are rounded
};

// Every option with a tuning range that affects a run of this row, except the named ones and those
// that the row's settings fix.
std::vector<SearchAxis> declared_space(const StudyRow& row, std::span<const std::string> fixed);
// The paper's grid for the row's sampler.
std::vector<SearchAxis> paper_space(const StudyRow& row);

// Draws `trials` distinct settings of the axes, a function of the seed:
//   * The first is empty: the row with its own settings.
//   * Each axis is covered evenly (a Latin hypercube).
//   * An axis that two samplers share has the same values in the same trials, so that none of them
//     is merely luckier with its learning rates.
// Combinations that `accepts` rejects are drawn again. Returns fewer than `trials` if the axes have
// fewer combinations.
std::vector<Settings> draw_trials(std::span<const SearchAxis> axes, size_t trials, uint64_t seed,
                                  const std::function<bool(const Settings&)>& accepts);

}  // namespace divns
