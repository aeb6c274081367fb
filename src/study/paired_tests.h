// SPDX-License-Identifier: Apache-2.0
// Whether one row of a comparison differs from others: paired tests over users and over seeds.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "divns/significance.h"

namespace divns {

// Tests of the reference of a group against one other row, in one metric. Differences are reference
// minus other.
struct PairTest {
  std::string group;
  std::string metric;
  std::string reference;
  std::string other;
  // Over users: each user's value is the mean over the seeds.
  PairedT users;
  SignedRank ranks;
  Interval interval;  // of the mean difference over users
  double users_p_holm = 1;
  double ranks_p_holm = 1;
  // Over seeds: the means over users, paired by seed.
  PairedT seeds;
  double seeds_p_holm = 1;
};

// Where the values of a group come from. Row 0 is the reference.
struct PairedValues {
  // Mean over the seeds of each user's value: users x metrics. Asked once for each row.
  std::function<std::vector<double>(size_t row)> of_users;
  // The means over users, in the order of the seeds. Rows with other seeds give nothing.
  std::function<std::vector<double>(size_t row, const std::string& metric)> of_seeds;
};

// The first label against every other, metric by metric; each metric is one Holm family.
std::vector<PairTest> test_pairs(const std::string& group, std::span<const std::string> labels,
                                 std::span<const std::string> metrics, const PairedValues& values,
                                 const BootstrapOptions& bootstrap, const Executor& executor);

}  // namespace divns
