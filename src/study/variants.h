// SPDX-License-Identifier: Apache-2.0
// What is compared with what: rows of (model, label, sampler, settings).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/run_spec.h"

namespace divns {

// A sampler under some settings, with the name that tables give it.
struct Variant {
  std::string label;
  std::string sampler;
  std::string model = {};  // for this model alone; empty: for every model that the sampler fits
  Settings settings = {};
};

// One of these:
//   all                                       every sampler, at its defaults
//   rns,dns,divns:divns.lambda=0.5,l2=0.01    names; settings of a name follow a colon
//   tuned.toml                                a file with a table for each model and label:
//       [mf.divns]            # model "mf", label "divns"
//       sampler = "divns"     # may be left out where the label is a sampler
//       l2 = 0.01
//       divns.lambda = 0.5
// Throws Error for a sampler that does not exist or a label that occurs twice.
std::vector<Variant> parse_variants(const std::string& text);

// The inverse for a file: what `divns tune` writes and `divns compare` reads.
std::string variants_toml(const std::vector<Variant>& variants);

struct StudyRow {
  std::string group;  // rows of a group are ranked and tested among themselves: the model
  std::string model;
  std::string label;
  std::string sampler;  // empty for a model that is fitted
  Settings settings = {};
  bool is_reference = false;  // tested against each other row of its group
};

struct StudyRows {
  std::vector<StudyRow> rows;      // groups one after the other
  std::vector<std::string> notes;  // what was left out, and why
};

// Every model with every variant that fits it, then the baselines (models that are fitted, not
// trained by sampling) as a group of their own. The base settings go first, so that a variant's own
// overrule them.
StudyRows make_rows(const std::vector<std::string>& models, const std::vector<Variant>& variants,
                    const std::vector<std::string>& baselines, const Settings& base);

inline constexpr std::string_view kBaselineGroup = "baselines";

}  // namespace divns
