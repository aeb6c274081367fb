// SPDX-License-Identifier: Apache-2.0
#include "study/variants.h"

#include <algorithm>

#include "base/check.h"
#include "base/toml.h"
#include "divns/did_you_mean.h"
#include "divns/options.h"
#include "divns/registry.h"
#include "models/registry.h"
#include "run/resolved_setup.h"

namespace divns {
namespace {

// "divns.lambda" is shown as "lambda" beside the name "divns".
std::string short_text(const Setting& setting, const std::string& sampler) {
  const std::string prefix = sampler + ".";
  const std::string text = to_string(setting);
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

void label_by_settings(std::vector<Variant>& variants) {
  for (Variant& variant : variants) {
    variant.label = variant.sampler;
    if (variant.settings.empty()) continue;
    std::vector<std::string> parts;
    for (const Setting& setting : variant.settings)
      parts.push_back(short_text(setting, variant.sampler));
    variant.label += fmt::format(" ({})", fmt::join(parts, ", "));
  }
}

std::vector<Variant> parse_list(std::string_view text) {
  std::vector<Variant> variants;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view word = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const size_t colon = word.find(':');
    // "l2=0.01" goes on with the settings of the name before it.
    if (word.find('=') < colon) {
      if (variants.empty() || variants.back().settings.empty())
        fail("'{}' follows no sampler; write the sampler first, as in divns:l2=0.01.", word);
      variants.back().settings.push_back(parse_setting(word));
      continue;
    }
    Variant& variant = variants.emplace_back();
    variant.sampler = find_sampler(word.substr(0, colon)).name;
    if (colon != std::string_view::npos)
      variant.settings.push_back(parse_setting(word.substr(colon + 1)));
  }
  label_by_settings(variants);
  return variants;
}

std::vector<Variant> read_file(const std::string& file) {
  std::vector<Variant> variants;
  for (const TomlValue& value : read_toml(file)) {
    if (value.path.size() < 3)
      fail("{}: a table for a model and a label is expected, as in [mf.divns].", value.where);
    const std::string& model = value.path[0];
    const std::string& label = value.path[1];
    const auto is_same = [&](const Variant& v) { return v.model == model && v.label == label; };
    auto at = std::find_if(variants.begin(), variants.end(), is_same);
    if (at == variants.end()) {
      variants.push_back({label, label, model, {}});
      at = variants.end() - 1;
    }
    const std::vector<std::string> rest(value.path.begin() + 2, value.path.end());
    const std::string name = fmt::format("{}", fmt::join(rest, "."));
    if (name == "sampler")
      at->sampler = value.text;
    else
      at->settings.push_back({name, value.text});
  }
  for (Variant& variant : variants) {
    if (find_fitted_model(variant.model) == nullptr)
      find_model(variant.model);
    else
      variant.sampler.clear();
    if (!variant.sampler.empty()) find_sampler(variant.sampler);
  }
  return variants;
}

// A row of a study has its model, sampler and seed from the request; a setting of that name would
// be printed in the label but not obeyed.
void check_settings(const std::vector<Variant>& variants) {
  for (const Variant& variant : variants)
    for (const Setting& setting : variant.settings)
      if (setting.name == "model" || setting.name == "sampler" || setting.name == "seed")
        fail("'{}' cannot be set for one sampler of a study ({}); use --{} instead.", setting.name,
             variant.label,
             setting.name == "model"     ? "model"
             : setting.name == "sampler" ? "samplers"
                                         : "seeds");
}

void check_labels(const std::vector<Variant>& variants) {
  for (size_t i = 0; i < variants.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (variants[i].label == variants[j].label && variants[i].model == variants[j].model)
        fail("'{}' is listed twice; name each row once.", variants[i].label);
}

bool fits(const Variant& variant, const std::string& model, const Settings& base) {
  if (sampler_fits(variant.sampler, model)) return true;
  Settings all = base;
  all.insert(all.end(), variant.settings.begin(), variant.settings.end());
  for (auto setting = all.rbegin(); setting != all.rend(); ++setting)
    if (setting->name == "allow_extensions") return setting->value == "true";
  return false;
}

}  // namespace

std::vector<Variant> parse_variants(const std::string& text) {
  std::vector<Variant> variants;
  if (text.ends_with(".toml")) {
    variants = read_file(text);
  } else if (text == "all") {
    for (const SamplerEntry& entry : samplers())
      if (entry.needs.empty())
        variants.push_back({std::string(entry.name), std::string(entry.name)});
  } else {
    variants = parse_list(text);
  }
  if (variants.empty()) fail("no sampler was named; say --samplers all, or some of them.");
  check_labels(variants);
  check_settings(variants);
  return variants;
}

std::string variants_toml(const std::vector<Variant>& variants) {
  TrainingSetup setup;
  Options types;
  setup.declare(types);
  std::string text;
  for (const Variant& variant : variants) {
    text += fmt::format("{}[{}.{}]\n", text.empty() ? "" : "\n", toml_key(variant.model),
                        toml_key(variant.label));
    if (!variant.sampler.empty()) text += fmt::format("sampler = \"{}\"\n", variant.sampler);
    for (const Setting& setting : variant.settings) {
      types.set(setting.name, setting.value, OptionSource::kSet);
      text += fmt::format("{} = {}\n", setting.name, types.find(setting.name)->toml_value());
    }
  }
  return text;
}

StudyRows make_rows(const std::vector<std::string>& models, const std::vector<Variant>& variants,
                    const std::vector<std::string>& baselines, const Settings& base) {
  StudyRows result;
  const auto add = [&](const std::string& group, const std::string& model, const Variant& variant) {
    StudyRow row{group, model, variant.label, variant.sampler, base};
    row.settings.insert(row.settings.end(), variant.settings.begin(), variant.settings.end());
    result.rows.push_back(std::move(row));
  };
  for (const std::string& model : models) {
    if (find_fitted_model(model) != nullptr)
      fail("{} is not trained by sampling; ask for it with --baselines {}.", model, model);
    find_model(model);
    for (const Variant& variant : variants) {
      if (!variant.model.empty() && variant.model != model) continue;
      if (fits(variant, model, base))
        add(model, model, variant);
      else
        result.notes.push_back(fmt::format(
            "{} is left out with {}: it was published for graph models.", variant.label, model));
    }
  }
  const auto group = std::string(kBaselineGroup);
  for (const std::string& name : baselines) {
    if (find_fitted_model(name) == nullptr) {
      std::vector<std::string> known;
      for (const FittedModelEntry& entry : fitted_models()) known.emplace_back(entry.name);
      fail("there is no baseline '{}'.{} There are: {}.", name, did_you_mean(name, known),
           fmt::join(known, ", "));
    }
    // A tuned one brings its settings along.
    const auto tuned = std::find_if(variants.begin(), variants.end(),
                                    [&](const Variant& variant) { return variant.model == name; });
    if (tuned != variants.end())
      add(group, name, *tuned);
    else
      add(group, name, {name, ""});
  }
  return result;
}

}  // namespace divns
