// SPDX-License-Identifier: Apache-2.0
#include "study/ablation.h"

#include <algorithm>

#include "base/check.h"
#include "divns/did_you_mean.h"
#include "run/resolved_setup.h"

namespace divns {
namespace {

const std::vector<AblationAxis>& axis_table() {
  static const std::vector<AblationAxis> table = {
      {"lambda", "divns.lambda", {"0.1", "0.3", "0.5", "0.7", "0.9"}},
      {"m", "divns.cache_ratio", {"1", "2", "4", "6"}},
      {"n", "divns.candidates", {"6", "8", "10", "15", "20"}},
      {"module", "divns.diverse", {"augmented", "vanilla", "uniform", "off"}},
      // A separate axis, because on dense data a draw takes a hundred times as long as the mode.
      {"draw", "divns.diverse", {"augmented", "exact"}},
      {"combine", "divns.combine", {"mix", "pair"}},
      {"normalisation", "divns.unit_kernel", {"true", "false"}},
      {"rank", "divns.rank_policy", {"jitter", "rounds", "stop"}},
      {"penalty", "divns.penalty", {"formula", "clip", "half"}},
      {"timing", "divns.timing", {"epoch", "batch"}},
      {"shortage", "divns.shortage", {"recycle", "unmixed", "refill"}},
  };
  return table;
}

// The value of an option with these settings, as the option itself prints it.
std::string resolved_value(const RunSpec& spec, const std::string& option) {
  const ResolvedSetup resolved(spec.all_settings());
  return resolved.options.find(option)->value();
}

// The reason why a run of this specification is invalid, if it is.
std::string refusal(const RunSpec& spec) {
  try {
    plan_run(spec, "");
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

void add_group(const std::string& model, const std::string& sampler, const Settings& base,
               const AblationAxis& axis, StudyRows& result) {
  const auto with = [&](const std::string& value) {
    RunSpec spec{model, sampler, 1, base};
    spec.settings.push_back({axis.option, value});
    return spec;
  };
  // Setting a value first reports an unknown option with the nearest known name.
  std::vector<std::string> values = axis.values;
  for (std::string& value : values) value = resolved_value(with(value), axis.option);
  const std::string base_value = resolved_value({model, sampler, 1, base}, axis.option);
  const auto equals_base = [&](const std::string& value) { return value == base_value; };
  if (std::none_of(values.begin(), values.end(), equals_base))
    values.insert(values.begin(), base_value);
  for (const std::string& value : values) {
    StudyRow row{fmt::format("{} {}", model, axis.name),
                 model,
                 fmt::format("{}={}", axis.name, value),
                 sampler,
                 base,
                 equals_base(value)};
    row.settings.push_back({axis.option, value});
    const std::string why = refusal(with(value));
    if (why.empty())
      result.rows.push_back(std::move(row));
    else
      result.notes.push_back(fmt::format("{} is left out with {}: {}", row.label, model, why));
  }
}

}  // namespace

std::span<const AblationAxis> ablation_axes() {
  return axis_table();
}

AblationAxis parse_axis(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    std::vector<std::string> names;
    for (const AblationAxis& axis : axis_table()) {
      if (axis.name == text) return axis;
      names.push_back(axis.name);
    }
    fail(
        "there is no axis '{}'.{} There are: {}; or give an option with its values, as in "
        "l2=1e-4/1e-2.",
        text, did_you_mean(text, names), fmt::join(names, ", "));
  }
  const Setting setting = parse_setting(text);
  if (setting.name == "model" || setting.name == "sampler" || setting.name == "seed")
    fail("'{}' cannot be an axis: every row of an ablation has the same. Use divns compare.",
         setting.name);
  AblationAxis axis{setting.name, setting.name, {}};
  for (size_t begin = 0; begin <= setting.value.size();) {
    const size_t end = std::min(setting.value.find('/', begin), setting.value.size());
    axis.values.push_back(setting.value.substr(begin, end - begin));
    begin = end + 1;
  }
  return axis;
}

void add_ablation_rows(const std::string& model, const std::string& sampler, const Settings& base,
                       const std::vector<AblationAxis>& axes, StudyRows& result) {
  // Errors of the base settings themselves are thrown once, here.
  plan_run({model, sampler, 1, base}, "");
  for (const AblationAxis& axis : axes) add_group(model, sampler, base, axis, result);
}

}  // namespace divns
