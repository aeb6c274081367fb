// SPDX-License-Identifier: Apache-2.0
#include "study/paired_tests.h"

#include "base/check.h"

namespace divns {
namespace {

std::vector<double> every(const std::vector<double>& table, size_t columns, size_t column) {
  std::vector<double> values(table.size() / columns);
  for (size_t i = 0; i < values.size(); ++i) values[i] = table[i * columns + column];
  return values;
}

void apply_holm(std::span<PairTest> family) {
  const auto correct = [&](auto p_of, double PairTest::*out) {
    std::vector<double> p_values;
    for (const PairTest& test : family) p_values.push_back(p_of(test));
    const std::vector<double> corrected = holm(p_values);
    for (size_t i = 0; i < family.size(); ++i) family[i].*out = corrected[i];
  };
  correct([](const PairTest& test) { return test.users.p; }, &PairTest::users_p_holm);
  correct([](const PairTest& test) { return test.ranks.p; }, &PairTest::ranks_p_holm);
  correct([](const PairTest& test) { return test.seeds.p; }, &PairTest::seeds_p_holm);
}

}  // namespace

std::vector<PairTest> test_pairs(const std::string& group, std::span<const std::string> labels,
                                 std::span<const std::string> metrics, const PairedValues& values,
                                 const BootstrapOptions& bootstrap, const Executor& executor) {
  std::vector<PairTest> tests;
  if (labels.size() < 2) return tests;
  const std::vector<double> own = values.of_users(0);
  // Differences to all other rows: users x (others x metrics).
  const size_t users = own.size() / metrics.size();
  const size_t width = (labels.size() - 1) * metrics.size();
  std::vector<double> differences(users * width);
  for (size_t o = 1; o < labels.size(); ++o) {
    const std::vector<double> other = values.of_users(o);
    if (other.size() != own.size())
      fail("the runs of {} and {} were measured on different users; remove the older ones.",
           labels[0], labels[o]);
    for (size_t u = 0; u < users; ++u)
      for (size_t m = 0; m < metrics.size(); ++m)
        differences[u * width + (o - 1) * metrics.size() + m] =
            own[u * metrics.size() + m] - other[u * metrics.size() + m];
  }
  const std::vector<Interval> intervals = bootstrap_means(differences, width, bootstrap, executor);

  for (size_t m = 0; m < metrics.size(); ++m) {
    const size_t first = tests.size();
    const std::vector<double> own_by_seed = values.of_seeds(0, metrics[m]);
    for (size_t o = 1; o < labels.size(); ++o) {
      const size_t column = (o - 1) * metrics.size() + m;
      const std::vector<double> d = every(differences, width, column);
      std::vector<double> by_seed = values.of_seeds(o, metrics[m]);
      for (size_t s = 0; s < by_seed.size(); ++s) by_seed[s] = own_by_seed[s] - by_seed[s];
      PairTest test;
      test.group = group;
      test.metric = metrics[m];
      test.reference = labels[0];
      test.other = labels[o];
      test.users = paired_t_test(d);
      test.ranks = wilcoxon_signed_rank(d);
      test.interval = intervals[column];
      test.seeds = paired_t_test(by_seed);
      tests.push_back(std::move(test));
    }
    apply_holm(std::span(tests).subspan(first));
  }
  return tests;
}

}  // namespace divns
