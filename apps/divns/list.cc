// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "catalog_text.h"
#include "divns/did_you_mean.h"
#include "divns/metric.h"
#include "divns/registry.h"
#include "divns/synth.h"
#include "divns/train.h"
#include "fail.h"
#include "json.h"
#include "verbs.h"

namespace divns::app {
namespace {

std::string tuning_text(const TuneRange& range) {
  switch (range.scale) {
    case TuneRange::Scale::kNone:
      return "";
    case TuneRange::Scale::kList:
      return fmt::format("{}", fmt::join(range.values, ", "));
    case TuneRange::Scale::kLinear:
      return fmt::format("{} to {}", range.low, range.high);
    case TuneRange::Scale::kLog:
      return fmt::format("{} to {}, by factors", range.low, range.high);
  }
  return "";
}

Json options_json(const Options& options, std::string_view owner = "") {
  Json rows = Json::array();
  for (const Option& option : options.all()) {
    if (!owner.empty() && !option.name().starts_with(std::string(owner) + ".")) continue;
    rows.push_back({{"name", option.name()},
                    {"meaning", option.help()},
                    {"type", option.type()},
                    {"default", option.default_text()},
                    {"allowed", option.expectation()},
                    {"tuning", tuning_text(option.tune_range())}});
  }
  return rows;
}

// The options of one algorithm, or all of them.
Json own_options(const std::string& owner) {
  const TrainingTable table;
  return options_json(table.options(), owner);
}

std::vector<std::string> models_for(const std::string& sampler) {
  std::vector<std::string> names;
  for (const ModelInfo& model : model_list())
    if (model.is_sampled && sampler_fits(sampler, model.name)) names.push_back(model.name);
  return names;
}

Json list_samplers() {
  Json rows = Json::array();
  for (const SamplerEntry& entry : samplers())
    rows.push_back({{"name", entry.name},
                    {"rule", entry.summary},
                    {"models", fmt::format("{}", fmt::join(models_for(entry.name), ", "))},
                    {"from", entry.citation},
                    {"options", own_options(entry.name)}});
  return rows;
}

Json list_models() {
  Json rows = Json::array();
  for (const ModelInfo& entry : model_list())
    rows.push_back(
        {{"name", entry.name},
         {"rule", entry.summary},
         {"training", entry.is_sampled ? "with sampled negatives" : "fitted to all pairs at once"},
         {"keeps", entry.has_vectors ? "vectors" : "item-item weights"},
         {"from", entry.citation},
         {"options", own_options(entry.name)}});
  return rows;
}

Json list_losses() {
  Json rows = Json::array();
  for (const LossEntry& entry : losses())
    rows.push_back({{"name", entry.name},
                    {"rule", entry.summary},
                    {"from", entry.citation},
                    {"options", own_options(entry.name)}});
  return rows;
}

Json list_metrics() {
  Json rows = Json::array();
  for (const MetricEntry& metric : metrics())
    rows.push_back({{"name", metric.name + "@k"}, {"formula", metric.formula}});
  return rows;
}

// What --preset fast changes.
Settings fast_settings() {
  TrainingTable table;
  const Options& options = table.options();
  Settings before;
  for (const Option& option : options.all()) before.push_back({option.name(), option.value()});
  table.options().set("preset", "fast", OptionSource::kSet);
  table.resolve();
  Settings changed;
  for (size_t i = 0; i < before.size(); ++i)
    if (const Option& option = options.all()[i];
        option.name() != "preset" && option.value() != before[i].value)
      changed.push_back({option.name(), option.value()});
  return changed;
}

Json list_presets() {
  Json rows = Json::array();
  for (const SynthPreset& preset : synth_presets())
    rows.push_back({{"name", preset.name}, {"meaning", preset.help}, {"of", "data synth"}});
  const TrainingTable defaults;
  for (const std::string& protocol : defaults.options().find("protocol")->choice_names()) {
    TrainingTable table;
    table.options().set("protocol", protocol, OptionSource::kSet);
    table.resolve();
    const auto value = [&](const char* name) { return table.options().find(name)->value(); };
    rows.push_back(
        {{"name", protocol},
         {"meaning",
          fmt::format("validate every {} epochs{}, stop after {} epochs without a "
                      "better value, {} the last partial batch",
                      value("eval_every"),
                      value("eval_first") == "true" ? " from the first on" : "",
                      value("patience_epochs"), value("drop_last") == "true" ? "drop" : "keep")},
         {"of", "train --protocol"}});
  }
  const auto add_settings = [&](const char* name, const std::string& whose,
                                const Settings& settings) {
    std::vector<std::string> texts;
    for (const Setting& setting : settings) texts.push_back(to_string(setting));
    rows.push_back({{"name", name},
                    {"meaning", fmt::format("{}{}", whose, fmt::join(texts, ", "))},
                    {"of", "train --preset"}});
  };
  add_settings("fast", "", fast_settings());
  for (const SamplerEntry& entry : samplers())
    if (!entry.authors.empty()) add_settings("authors", entry.name + ": ", entry.authors);
  return rows;
}

// Each option in full, for programs: an open end of a range is null.
Json list_options_for_programs() {
  const TrainingTable table;
  const Options& options = table.options();
  const auto bound = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  Json rows = options_json(options);
  for (size_t i = 0; i < rows.size(); ++i) {
    const Option& option = options.all()[i];
    const TuneRange& tune = option.tune_range();
    constexpr const char* kScales[] = {"none", "linear", "log", "list"};
    rows[i]["group"] = option.owner().empty() ? option.group() : std::string(option.owner());
    rows[i]["advanced"] = option.is_advanced();
    rows[i]["aliases"] = option.aliases();
    rows[i]["choices"] = option.choice_names();
    rows[i]["range"] = {{"low", bound(option.low())},
                        {"low_is_excluded", option.is_low_open()},
                        {"high", bound(option.high())}};
    rows[i]["tuning_range"] = {{"scale", kScales[static_cast<size_t>(tune.scale)]},
                               {"low", tune.low},
                               {"high", tune.high},
                               {"values", tune.values}};
  }
  return rows;
}

Json list_options() {
  const TrainingTable table;
  const Options& options = table.options();
  return options_json(options);
}

struct Listing {
  std::string_view name;
  Json (*rows)();
};
constexpr Listing kListings[] = {{"samplers", list_samplers}, {"losses", list_losses},
                                 {"models", list_models},     {"metrics", list_metrics},
                                 {"presets", list_presets},   {"options", list_options}};

struct ListVerb {
  bool json = false;
  bool markdown = false;
  std::string what;
  std::string name;
  Options options;

  explicit ListVerb(Command verb) {
    options.add("json", json, "print one JSON document");
    options.add("markdown", markdown, "print Markdown tables");
    std::vector<std::string> names;
    for (const Listing& listing : kListings) names.emplace_back(listing.name);
    verb.positional("what", what, "what to list", true, names)
        .positional("name", name, "one of them, with all that is known about it", false)
        .options(options)
        .example("divns list samplers")
        .example("divns list samplers dns")
        .example("divns list options --markdown")
        .action([this] { run(); });
  }

  void run() {
    Json rows = json && what == "options" ? list_options_for_programs() : rows_of(what);
    if (!name.empty()) rows = only(rows);
    if (json)
      print_result(json_text(rows));
    else if (markdown)
      print_result(listing_markdown(rows));
    else
      print_result(listing_text(rows, !name.empty()));
  }

  // The kind is one of the choices of the command line.
  static Json rows_of(std::string_view kind) {
    return std::find_if(std::begin(kListings), std::end(kListings),
                        [&](const Listing& listing) { return listing.name == kind; })
        ->rows();
  }

  Json only(const Json& rows) const {
    std::vector<std::string> names;
    for (const Json& row : rows) {
      if (row["name"] == name) return Json::array({row});
      names.push_back(row["name"]);
    }
    fail("'{}' is not among the {}.{}", name, what, did_you_mean(name, names));
  }
};

}  // namespace

void add_list_verb(Command root) {
  install<ListVerb>(
      root.add_verb("list", "show samplers, losses, models, metrics, presets and options"));
}

}  // namespace divns::app
