// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "divns/study.h"
#include "divns/train.h"
#include "fail.h"
#include "live_page.h"
#include "progress.h"
#include "report_page.h"
#include "stop_signal.h"

namespace divns::app {

// What compare, tune and ablate have in common: a dataset, the options of the study, and every
// training option as the base of all runs. StudyType is CompareOptions, TuneOptions, ...
template <class StudyType>
struct StudyVerb {
  std::string name;
  CommonOptions common;
  std::vector<std::string> data_folders;
  StudyType study;
  LiveOption live;
  TrainingTable training;
  Options options;

  explicit StudyVerb(std::string verb) : name(std::move(verb)) {
    options.section("Data and output");
    options.add("data", data_folders,
                name == "compare" ? "prepared dataset, or several" : "prepared dataset");
    study.declare(options);
    live.declare(options);
    common.declare(options);
    constexpr std::array<std::string_view, 3> kOwn = {"model", "sampler", "seed"};
    options.include(training.options(), kOwn);
  }

  // Opens the dataset and completes the options of the study.
  Dataset open() {
    complete();
    if (data_folders.size() > 1)
      fail("divns {} takes one dataset, but --data names {}. Run it once for each.", name,
           data_folders.size());
    return Dataset::open(data_folders.front());
  }

  void complete() {
    if (data_folders.empty() || data_folders.front().empty())
      fail("no dataset was given; name the folder that `divns data prepare` wrote with --data.");
    show_warnings(common);
    for (Setting& setting : training.given_in(options))
      if (setting.name != "model" && setting.name != "sampler" && setting.name != "seed")
        study.settings.push_back(std::move(setting));
    study.threads = common.threads;
    study.text_columns = result_columns();
    study.command = repeat_command(name, options);
  }

  // Calls run(callbacks) with a progress line, a live report and a clean end on Ctrl-C.
  template <class Run>
  auto with_progress(Run&& run) const {
    const std::unique_ptr<LiveReport> page = live.start(common, study.out, study.runs);
    StudyProgressLine line(common.quiet);
    return run(StudyCallbacks{[&](const StudyProgress& progress) {
                                line.on_progress(progress);
                                if (page) page->update();
                              },
                              stop_on_signal(), abandon_on_signal()});
  }

  void say_stopped() const {
    mark_unfinished();
    say(common, "stopped; the same command continues from here: {}", study.out);
  }

  // Last, so that the path is the last thing that is said.
  void write_page() const {
    write_own_report(common, {study.out}, std::filesystem::path(study.out) / "report.html",
                     study.runs);
  }

  void report(const ComparisonResult& result) const {
    for (const std::string& note : result.notes) say(common, "{}", note);
    if (!result.finished) return say_stopped();
    if (common.json) {
      print_result(result.json);
      return write_page();
    }
    print_result(result.table);
    // One metric is enough for a terminal; the files of the study have all of them.
    if (!result.tests_table.empty()) print_result("\n" + result.tests_table);
    say(common, "tables, per-user values and commands: {}", study.out);
    write_page();
  }
};

}  // namespace divns::app
