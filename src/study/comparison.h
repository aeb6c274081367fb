// SPDX-License-Identifier: Apache-2.0
// Rows x seeds, measured on the test part: means over seeds, who is best, and whether the reference
// differs from the others by more than chance. Behind `divns compare` and `divns ablate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/significance.h"
#include "study/runner.h"
#include "study/variants.h"

namespace divns {

struct ComparisonRequest {
  std::vector<StudyRow> rows;  // groups one after the other
  std::vector<uint64_t> seeds;
  std::vector<std::string> metrics;  // those that are shown and tested, as in "recall@20"
  std::vector<uint32_t> cutoffs = {10, 20, 50};
  BootstrapOptions bootstrap = {};
  std::string row_title = "sampler";  // what the labels of the rows are, as a heading
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

// The reference of a group against one other row of it, in one metric. Differences are reference
// minus other.
struct PairTest {
  std::string group;
  std::string metric;
  std::string reference;
  std::string other;
  // Over users: each user's value is their mean over the seeds.
  PairedT users;
  SignedRank ranks;
  Interval interval;  // of the mean difference over users
  double users_p_holm = 1;
  double ranks_p_holm = 1;
  // Over seeds: the means over users, paired by seed.
  PairedT seeds;
  double seeds_p_holm = 1;
};

// Who leads a group in a metric. Percentages are relative: 100 (a / b - 1).
struct Lead {
  std::string group;
  std::string metric;
  std::string best;
  std::string second;
  double best_over_second = 0;  // percent
  // Where the group has the reference: its lead over the best other row (negative if behind).
  std::optional<double> reference_over_best_other = {};
  std::string best_other = {};
};

struct Comparison {
  std::vector<std::string> columns;  // every metric that was measured
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

// Every (row, seed) as a run, in the order in which they are executed: all rows with the first
// seed, then with the second, so that a study that is looked at early has something of everything.
std::vector<NamedRun> comparison_runs(const RunStore& store, const ComparisonRequest& request);

// Once all runs have been executed with `final`.
Comparison summarise_comparison(const RunStore& store, const ComparisonRequest& request,
                                const std::vector<NamedRun>& runs,
                                const std::vector<RunRecord>& records, const Executor& executor);

// Makes the rows of this label the reference of their groups. An empty label means "divns" or,
// where no row has that label, the first row's. Throws Error for a label that is not there.
void choose_reference(std::vector<StudyRow>& rows, std::string label);

// Throws Error for what cannot be measured.
void check_comparison(ComparisonRequest& request);

}  // namespace divns
