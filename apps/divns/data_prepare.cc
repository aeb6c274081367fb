// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "base/json.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "data/prepare.h"
#include "divns/verbs.h"
#include "report/text_table.h"

namespace divns::app {
namespace {

namespace fs = std::filesystem;

// "ratings.csv.gz" becomes "ratings.divns" in the current folder.
std::string default_output(const std::string& input) {
  fs::path name = fs::path(input).filename();
  for (const char* extension : {".gz", ".zst"})
    if (name.extension() == extension) name = name.stem();
  return name.stem().string() + ".divns";
}

Json report_json(const PrepareReport& report, const std::string& output, double seconds) {
  Json json;
  json["output"] = output;
  json["hash"] = report.hash;
  json["read_as"] = report.format;
  for (const PrepareStep& step : report.steps)
    json["steps"].push_back({{"step", step.what},
                             {"pairs", step.pairs},
                             {"removed", step.removed},
                             {"users", step.users},
                             {"items", step.items}});
  json["parts"] = {{"train", report.train}, {"valid", report.valid}, {"test", report.test}};
  json["leaks"] = report.leaks;
  json["statistics"] = parse_json(report.statistics_json);
  json["seconds"] = seconds;
  return json;
}

std::string report_text(const PrepareReport& report, const std::string& output, double seconds) {
  TextTable table({"step", "pairs", "removed", "users", "items"});
  for (const PrepareStep& step : report.steps)
    table.add({step.what, with_commas(step.pairs),
               step.removed == 0 ? "" : with_commas(step.removed),
               step.users == 0 ? "" : with_commas(step.users),
               step.items == 0 ? "" : with_commas(step.items)});
  std::string text = fmt::format("read as {}\n{}", report.format, table.text());
  text += fmt::format("train {}, valid {}, test {}\n", with_commas(report.train),
                      with_commas(report.valid), with_commas(report.test));
  if (report.leaks > 0)
    text += fmt::format(
        "warning: {} pairs stand in two parts, such as {}; evaluation on them says nothing\n",
        with_commas(report.leaks), fmt::join(report.leak_examples, ", "));
  if (report.titles > 0) text += fmt::format("{} items have a title\n", with_commas(report.titles));
  return text + fmt::format("{} (hash {}) written in {:.2f} s\n", output, report.hash, seconds);
}

struct PrepareVerb {
  CommonOptions common;
  PrepareOptions prepare;
  std::vector<std::string> inputs;
  std::string output;
  Options options;

  explicit PrepareVerb(Command verb) {
    options.add("out", output, "folder to write (default: the name of the input with .divns)")
        .alias("o");
    prepare.declare(options);
    common.declare(options);
    verb.positional("input", inputs, "files of interactions, plain or compressed by gzip or zstd")
        .options(options)
        .example("divns data prepare ml-100k/u.data --min-rating 4 --k-core 5 -o ml-100k.divns")
        .example("divns data prepare train.txt --test-file test.txt -o gowalla.divns")
        .action([this] { run(); });
  }

  void run() {
    const Stopwatch watch;
    if (output.empty()) output = default_output(inputs[0]);
    const PrepareReport report = prepare_dataset(inputs, output, prepare, Executor(common.threads));
    const double seconds = watch.seconds();
    if (common.json)
      print_result(json_text(report_json(report, output, seconds)));
    else if (!common.quiet)
      print_result(report_text(report, output, seconds));
  }
};

}  // namespace

void add_data_prepare_verb(Command data) {
  install<PrepareVerb>(
      data.add_verb("prepare", "read interactions, filter, split, write a prepared dataset"));
}

}  // namespace divns::app
