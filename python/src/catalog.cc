// SPDX-License-Identifier: Apache-2.0
// The lists of what can be chosen: samplers, losses, models, metrics, presets, options.
#include "bindings.h"
#include "divns/dpp.h"
#include "divns/evaluate.h"
#include "divns/metric.h"
#include "divns/prepare.h"
#include "divns/registry.h"
#include "divns/study.h"
#include "divns/synth.h"
#include "divns/train.h"

namespace divns::python {
namespace {

nb::dict option_dict(const Option& option) {
  nb::dict entry;
  entry["name"] = option.name();
  entry["type"] = option.type();
  entry["default"] = option.default_text();
  entry["help"] = option.help();
  entry["allowed"] = option.expectation();
  entry["choices"] = option.choice_names();
  entry["low"] = option.low();
  entry["high"] = option.high();
  entry["group"] = option.group();
  entry["advanced"] = option.is_advanced();
  return entry;
}

nb::list option_list(const Options& options) {
  nb::list list;
  for (const Option& option : options.all()) list.append(option_dict(option));
  return list;
}

// The options of something that declares them.
template <class Declares>
nb::list declared_options() {
  Declares declares;
  Options options;
  declares.declare(options);
  return option_list(options);
}

template <class Entries>
nb::list summaries(const Entries& entries) {
  nb::list list;
  for (const auto& entry : entries) {
    nb::dict row;
    row["name"] = entry.name;
    row["summary"] = entry.summary;
    row["citation"] = entry.citation;
    list.append(row);
  }
  return list;
}

nb::list options_of(const std::string& topic) {
  if (topic == "train") return option_list(TrainingTable().options());
  if (topic == "prepare") return declared_options<PrepareOptions>();
  if (topic == "synthetic") {
    SynthOptions synth;
    SplitOptions split;
    Options options;
    synth.declare(options);
    split.declare(options);
    return option_list(options);
  }
  if (topic == "compare") return declared_options<CompareOptions>();
  if (topic == "tune") return declared_options<TuneOptions>();
  if (topic == "ablate") return declared_options<AblateOptions>();
  if (topic == "evaluate") return declared_options<EvaluateOptions>();
  if (topic == "dpp") return declared_options<DppConfig>();
  throw Error("there are no options of '" + topic +
              "'; choose train, prepare, synthetic, compare, tune, ablate, evaluate or dpp.");
}

// Throws for an unknown name, with the nearest known one.
void check_option(const std::string& name) {
  TrainingTable table;
  if (table.options().find(name) == nullptr) table.options().set(name, "", OptionSource::kFlag);
}

}  // namespace

void bind_catalog(nb::module_& m) {
  m.def("options", &options_of, nb::arg("topic"));
  m.def("check_option", &check_option, nb::arg("name"));
  m.def("samplers", [] { return summaries(samplers()); });
  m.def("losses", [] { return summaries(losses()); });
  m.def("models", [] { return summaries(model_list()); });
  m.def("metrics", [] {
    nb::list list;
    for (const MetricEntry& metric : metrics()) {
      nb::dict row;
      row["name"] = metric.name;
      row["formula"] = metric.formula;
      list.append(row);
    }
    return list;
  });
  m.def("presets", [] {
    nb::list list;
    for (const SynthPreset& preset : synth_presets()) {
      nb::dict row;
      row["name"] = preset.name;
      row["help"] = preset.help;
      list.append(row);
    }
    return list;
  });
}

}  // namespace divns::python
