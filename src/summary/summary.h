// SPDX-License-Identifier: Apache-2.0
// What a report is about: rows of runs that differ in their seeds only, and the tests between rows.
// It comes from the folder of a study, or from run folders that are put into rows here.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "divns/parallel.h"
#include "divns/significance.h"
#include "numerics/moments.h"
#include "summary/source_run.h"

namespace divns {

struct SummaryRow {
  std::string group;  // rows of a group are compared among themselves
  std::string model;
  std::string label;   // unique within the group
  std::string series;  // unique among all rows, for charts
  std::string sampler;
  std::string config;
  bool is_reference = false;
  std::vector<SourceRun> runs;

  // Mean and standard deviation over the runs that have the value; empty if none has.
  template <class ValueOf>
  std::optional<Moments> over_runs(ValueOf&& value_of) const {
    std::vector<double> values;
    for (const SourceRun& run : runs)
      if (const std::optional<double> value = value_of(run)) values.push_back(*value);
    if (values.empty()) return std::nullopt;
    return moments(values);
  }
};

// Differences are reference minus other; p-values are Holm-corrected within (group, metric).
struct SummaryTest {
  std::string group;
  std::string metric;
  std::string reference;
  std::string other;
  double difference = 0;
  Interval interval;
  double p_users = 1;
  std::optional<double> p_seeds;  // missing for a single seed
};

struct Summary {
  std::string verb;     // of the study; empty for runs
  std::string command;  // that repeats the study; may be empty
  std::string folder;   // of the study; empty for runs
  bool finished = true;
  std::vector<SummaryRow> rows;      // rows of a group are consecutive
  std::vector<std::string> metrics;  // shown; the last one decides the verdict
  bool on_test = true;               // the metrics are of the test part, else of validation
  std::vector<SummaryTest> tests;
  Json tuning;  // study.json of `divns tune`, else null
  std::vector<std::string> notes;

  const std::string& main_metric() const { return metrics.back(); }
  std::optional<double> value(const SourceRun& run, const std::string& metric) const;
  std::optional<Moments> value(const SummaryRow& row, const std::string& metric) const;
  // [first, last) rows of each group.
  std::vector<std::pair<size_t, size_t>> groups() const;
  const SummaryTest* find_test(const SummaryRow& reference, const SummaryRow& other,
                               const std::string& metric) const;
};

// Throws Error for folders that hold neither runs nor a study, and for damaged files.
// `shared_runs`: where a study keeps its runs if not inside its folder; may be empty.
Summary read_summary(std::span<const std::filesystem::path> folders,
                     const std::filesystem::path& shared_runs, const Executor& executor);

// Puts runs with the same configuration apart from the seed into one row.
void add_runs(std::vector<SourceRun> runs, Summary& summary);
// Chooses the metrics that all rows have; validation results where a row has not seen the test
// part.
void choose_metrics(Summary& summary);
// A configuration apart from its seed: what the runs of a row have in common.
std::string without_seed(const std::string& config);
std::vector<std::string> lines_of(const std::string& text);
// Gives every row a series name that no other row has.
void name_series(Summary& summary);

}  // namespace divns
