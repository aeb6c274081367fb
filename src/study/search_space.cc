// SPDX-License-Identifier: Apache-2.0
#include "study/search_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "divns/random.h"
#include "models/registry.h"
#include "run/resolved_setup.h"
#include "study/paper.h"

namespace divns {
namespace {

// Number of attempts to redraw a trial that is rejected or a duplicate.
constexpr uint32_t kMostAttempts = 200;

// The value at u in [0, 1), rounded to a readable number of digits.
std::string value_at(const SearchAxis& axis, double u) {
  const TuneRange& range = axis.range;
  if (range.scale == TuneRange::Scale::kList)
    return range.values[static_cast<size_t>(u * static_cast<double>(range.values.size()))];
  double value = range.low + u * (range.high - range.low);
  if (range.scale == TuneRange::Scale::kLog)
    value = range.low * std::pow(range.high / range.low, u);
  return axis.whole ? fmt::format("{}", std::llround(value)) : fmt::format("{:.3g}", value);
}

// Position of trial t on an axis: strata in a random order per axis on the first attempt, uniform
// on later ones.
class Strata {
 public:
  Strata(const SearchAxis& axis, size_t trials, uint64_t seed)
      : random_(seed, "tune." + axis.name), stratum_(trials) {
    std::iota(stratum_.begin(), stratum_.end(), size_t{0});
    Draws draws = random_.draws(0);
    shuffle(draws, std::span(stratum_));
  }
  double at(size_t trial, uint32_t attempt) const {
    const double u = random_.draws(1 + attempt, static_cast<uint32_t>(trial)).uniform();
    if (attempt > 0) return u;
    return (static_cast<double>(stratum_[trial]) + u) / static_cast<double>(stratum_.size());
  }

 private:
  Random random_;
  std::vector<size_t> stratum_;
};

bool is_shared(const SearchAxis& axis) {
  return axis.name.find('.') == std::string::npos;
}

double combinations(std::span<const SearchAxis> axes) {
  double count = 1;
  for (const SearchAxis& axis : axes)
    count *= axis.range.scale == TuneRange::Scale::kList
                 ? static_cast<double>(axis.range.values.size())
                 : 1e9;
  return count;
}

bool is_named(std::string_view name, const Settings& settings) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const Setting& setting) { return setting.name == name; });
}

}  // namespace

std::vector<SearchAxis> declared_space(const StudyRow& row, std::span<const std::string> fixed) {
  const ResolvedSetup resolved(RunSpec{row.model, row.sampler, 1, row.settings}.all_settings());
  const std::string used = resolved.config_text();
  std::vector<SearchAxis> axes;
  for (const Option& option : resolved.options.all()) {
    if (option.tune_range().scale == TuneRange::Scale::kNone) continue;
    if (std::find(fixed.begin(), fixed.end(), option.name()) != fixed.end()) continue;
    if (is_named(option.name(), row.settings)) continue;
    // The resolved text of the run lists the options that affect it, but for those of the trainer
    // that it omits at their default.
    const bool omitted = option.omits_default() && option.owner().empty() && !row.sampler.empty();
    if (!omitted && ("\n" + used).find("\n" + option.name() + " = ") == std::string::npos) continue;
    axes.push_back({option.name(), option.tune_range(), option.type() == "int"});
  }
  return axes;
}

std::vector<SearchAxis> paper_space(const StudyRow& row) {
  std::vector<SearchAxis> axes;
  if (row.sampler.empty()) return axes;
  for (GridAxis& axis : paper_grid(row.sampler))
    if (!is_named(axis.name, row.settings))
      axes.push_back({axis.name, {TuneRange::Scale::kList, 0, 0, std::move(axis.values)}});
  return axes;
}

std::vector<Settings> draw_trials(std::span<const SearchAxis> axes, size_t trials, uint64_t seed,
                                  const std::function<bool(const Settings&)>& accepts) {
  std::vector<Settings> drawn = {{}};
  // One more for the default settings, which may lie between the values of a list.
  const double most = combinations(axes) + 1;
  if (axes.empty()) return drawn;
  std::vector<Strata> strata;
  for (const SearchAxis& axis : axes) strata.emplace_back(axis, trials, seed);
  for (size_t trial = 1; trial < trials && static_cast<double>(drawn.size()) < most; ++trial) {
    for (uint32_t attempt = 0; attempt < kMostAttempts; ++attempt) {
      Settings settings;
      for (size_t a = 0; a < axes.size(); ++a) {
        // Half of the attempts keep the values of shared options.
        const bool keep = is_shared(axes[a]) && attempt < kMostAttempts / 2;
        settings.push_back(
            {axes[a].name, value_at(axes[a], strata[a].at(trial, keep ? 0 : attempt))});
      }
      const bool is_new = std::find(drawn.begin(), drawn.end(), settings) == drawn.end();
      if (!is_new || !accepts(settings)) continue;
      drawn.push_back(std::move(settings));
      break;
    }
  }
  return drawn;
}

}  // namespace divns
