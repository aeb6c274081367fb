// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/check.h"
#include "base/json.h"
#include "base/nearest.h"
#include "data/synth_options.h"
#include "divns/listing.h"
#include "divns/verbs.h"
#include "eval/metrics.h"
#include "models/registry.h"
#include "samplers/registry.h"
#include "train/setup.h"

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

template <class Algorithm>
Json own_options(Algorithm&& algorithm) {
  Options options;
  algorithm->declare(options);
  return options_json(options);
}

Json list_samplers() {
  Json rows = Json::array();
  for (const SamplerEntry& entry : samplers())
    rows.push_back({{"name", entry.name},
                    {"rule", entry.summary},
                    {"models", entry.fits_mf ? "mf, lightgcn" : "lightgcn"},
                    {"from", entry.citation},
                    {"options", own_options(entry.make())}});
  return rows;
}

Json list_models() {
  Json rows = Json::array();
  const auto add = [&](const auto& entry, const char* training) {
    rows.push_back({{"name", entry.name},
                    {"rule", entry.summary},
                    {"training", training},
                    {"from", entry.citation},
                    {"options", own_options(entry.make())}});
  };
  for (const ModelEntry& entry : models()) add(entry, "by sampled negatives");
  for (const FittedModelEntry& entry : fitted_models()) add(entry, "fitted to all pairs at once");
  return rows;
}

Json list_metrics() {
  Json rows = Json::array();
  for (const Metric metric : kMetrics)
    rows.push_back({{"name", std::string(metric_name(metric)) + "@k"},
                    {"formula", std::string(metric_formula(metric))}});
  return rows;
}

Json list_presets() {
  Json rows = Json::array();
  for (const SynthPreset& preset : synth_presets())
    rows.push_back({{"name", preset.name}, {"meaning", preset.help}, {"of", "data synth"}});
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  for (const std::string& protocol : options.find("protocol")->choice_names()) {
    TrainConfig config;
    Options table;
    config.declare(table);
    table.set("protocol", protocol, OptionSource::kSet);
    config.apply_protocol(table);
    rows.push_back(
        {{"name", protocol},
         {"meaning", fmt::format("validate every {} epochs{}, stop after {} without a "
                                 "better one, {} the last partial batch",
                                 config.eval_every, config.eval_first ? " from the first on" : "",
                                 config.patience_epochs, config.drop_last ? "drop" : "keep")},
         {"of", "train --protocol"}});
  }
  return rows;
}

Json list_options() {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  return options_json(options);
}

struct Listing {
  std::string_view name;
  Json (*rows)();
};
constexpr Listing kListings[] = {{"samplers", list_samplers},
                                 {"models", list_models},
                                 {"metrics", list_metrics},
                                 {"presets", list_presets},
                                 {"options", list_options}};

struct ListVerb {
  bool json = false;
  bool markdown = false;
  std::string what;
  std::string name;
  Options options;

  explicit ListVerb(Command verb) {
    options.add("json", json, "print one JSON document");
    options.add("markdown", markdown, "print Markdown tables");
    verb.positional("what", what, "samplers, models, metrics, presets or options")
        .positional("name", name, "one of them, with all that is known about it", false)
        .options(options)
        .example("divns list samplers")
        .example("divns list samplers dns")
        .example("divns list options --markdown")
        .action([this] { run(); });
  }

  void run() {
    Json rows = rows_of(what);
    if (!name.empty()) rows = only(rows);
    if (json)
      print_result(json_text(rows));
    else if (markdown)
      print_result(listing_markdown(rows));
    else
      print_result(listing_text(rows, !name.empty()));
  }

  static Json rows_of(const std::string& kind) {
    std::vector<std::string> names;
    for (const Listing& listing : kListings) {
      if (listing.name == kind) return listing.rows();
      names.emplace_back(listing.name);
    }
    fail("there is no list of '{}'.{} There are: {}.", kind, did_you_mean(kind, names),
         fmt::join(names, ", "));
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
      root.add_verb("list", "show samplers, models, metrics, presets and their options"));
}

}  // namespace divns::app
