// SPDX-License-Identifier: Apache-2.0
#include "divns/parallel.h"
#include "divns/stopwatch.h"
#include "divns/synth.h"
#include "divns/text_table.h"
#include "json.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct SynthVerb {
  CommonOptions common;
  SynthOptions synth;
  SplitOptions split;
  SynthTsvOptions tsv;
  std::string preset = "demo";
  std::string output;
  std::string tsv_file;
  bool overwrite = false;
  Options options;

  explicit SynthVerb(Command verb) {
    std::vector<std::string> names;
    for (const SynthPreset& known : synth_presets()) names.emplace_back(known.name);
    options.add("preset", preset, "preset that sets the defaults of the options below")
        .choices(names);
    options.add("out", output, "folder to write (default: the preset's name with .divns)")
        .alias("o");
    options.add("tsv", tsv_file,
                "write the pairs to this file instead, one per line: user, item[, rating[, time]]");
    options.add("tsv_ratings", tsv.ratings, "add a rating from 1 to 5, by affinity");
    options.add("tsv_times", tsv.times, "add a time");
    options.add("tsv_shuffled", tsv.shuffled, "write the pairs in random order");
    options.add("overwrite", overwrite, "replace an existing prepared dataset");
    synth.declare(options);
    split.declare(options);
    common.declare(options);
    verb.options(options)
        .example("divns data synth --preset demo -o demo.divns")
        .example("divns data synth --preset yelp2022-scale --tsv pairs.tsv")
        .action([this] { run(); });
  }

  void apply_preset() {
    SynthOptions values = synth_preset(preset);
    Options table;
    values.declare(table);
    for (const Option& option : table.all())
      options.set(option.name(), option.value(), OptionSource::kPreset);
  }

  void run() {
    apply_preset();
    const Stopwatch watch;
    const Executor executor(common.threads);
    if (!tsv_file.empty()) {
      const uint64_t pairs = write_synthetic_tsv(synth, tsv, tsv_file, executor);
      say(common, "{}: {} pairs written in {:.2f} s", tsv_file, with_commas(pairs),
          watch.seconds());
      return;
    }
    if (output.empty()) output = preset + ".divns";
    const SynthReport report = write_synthetic(synth, split, output, overwrite, executor);
    if (common.json) {
      Json json = {{"output", output}, {"hash", report.hash}, {"seconds", watch.seconds()}};
      json["parts"] = {{"train", report.train}, {"valid", report.valid}, {"test", report.test}};
      json["statistics"] = Json::parse(report.statistics_json);
      print_result(json_text(json));
    } else if (!common.quiet) {
      print_result(fmt::format("train {}, valid {}, test {}\n{} (hash {}) written in {:.2f} s",
                               with_commas(report.train), with_commas(report.valid),
                               with_commas(report.test), output, report.hash, watch.seconds()));
    }
  }
};

}  // namespace

void add_data_synth_verb(Command data) {
  install<SynthVerb>(
      data.add_verb("synth", "make a synthetic dataset whose true preferences are known"));
}

}  // namespace divns::app
