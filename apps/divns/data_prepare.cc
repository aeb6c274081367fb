// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "divns/prepare.h"
#include "divns/stopwatch.h"
#include "fail.h"
#include "verbs.h"

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

  // The library refuses other values than the default ones; here it is known whether the user gave
  // any.
  void refuse_idle_options() const {
    if (prepare.test_file.empty() && prepare.valid_file.empty()) return;
    for (const char* name : {"split", "ratios"})
      if (options.find(name)->source() != OptionSource::kDefault)
        fail(
            "{} cannot be combined with your own valid_file or test_file; leave it out, or cut a "
            "validation part off the training data with valid_share.",
            name);
  }

  void run() {
    const Stopwatch watch;
    refuse_idle_options();
    if (output.empty()) output = default_output(inputs[0]);
    const PrepareReport report = prepare_dataset(inputs, output, prepare, Executor(common.threads));
    if (common.json)
      print_result(prepare_json(report, output, watch.seconds()));
    else if (!common.quiet)
      print_result(prepare_text(report, output, watch.seconds()));
  }
};

}  // namespace

void add_data_prepare_verb(Command data) {
  install<PrepareVerb>(
      data.add_verb("prepare", "read interactions, filter, split, write a prepared dataset"));
}

}  // namespace divns::app
