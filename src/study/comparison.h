// SPDX-License-Identifier: Apache-2.0
// Rows x seeds, evaluated on the test part: means over seeds, the best rows, and whether the
// reference differs significantly from the others. Used by `divns compare` and `divns ablate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/paired_tests.h"
#include "study/runner.h"
#include "study/variants.h"

namespace divns {

struct ComparisonRequest {
  std::vector<StudyRow> rows;  // rows of a group are consecutive
  std::vector<uint64_t> seeds;
  std::vector<std::string> metrics;  // metrics that are shown and tested, as in "recall@20"
  std::vector<uint32_t> cutoffs = {10, 20, 50};
  BootstrapOptions bootstrap = {};
  std::string row_title = "sampler";  // heading of the row labels
};

struct RowResult {
  StudyRow row;
  std::string config;  // resolved, with the first seed
  struct OfSeed {
    uint64_t seed = 0;
    PlannedRun run;
    RunRecord record;
  };
  std::vector<OfSeed> seeds;
  std::vector<double> mean;  // over seeds, by column
  std::vector<double> sd;    // n - 1 in the denominator; 0 for one seed
};

// The leading rows of a group in a metric. Percentages are relative: 100 (a / b - 1).
struct Lead {
  std::string group;
  std::string metric;
  std::string best;
  std::string second;
  double best_over_second = 0;  // percent
  // If the group has a reference: its lead over the best other row (negative if behind).
  std::optional<double> reference_over_best_other = {};
  std::string best_other = {};
};

struct Comparison {
  std::vector<std::string> columns;  // all metrics that were measured
  std::vector<RowResult> rows;
  std::vector<PairTest> tests;  // Holm families are (group, metric)
  std::vector<Lead> leads;

  // [first, last) rows of each group.
  struct Group {
    std::string name;
    size_t first = 0;
    size_t last = 0;
  };
  std::vector<Group> groups() const;
  size_t column(const std::string& metric) const;
};

// Every (row, seed) as a run, in the order of execution: all rows with the first seed, then with
// the second, so that an unfinished study already has results of every row.
std::vector<NamedRun> comparison_runs(const RunStore& store, const ComparisonRequest& request);

// Call it when all runs have been executed with `final`.
Comparison summarise_comparison(const RunStore& store, const ComparisonRequest& request,
                                const std::vector<NamedRun>& runs,
                                const std::vector<RunRecord>& records, const Executor& executor);

// Makes the rows with this label the references of their groups. An empty label means "divns" or,
// if no row has that label, the label of the first row. Throws Error for an unknown label.
void choose_reference(std::vector<StudyRow>& rows, std::string label);

// Throws Error for metrics that are not measured.
void check_comparison(ComparisonRequest& request);

}  // namespace divns
