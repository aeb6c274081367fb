// SPDX-License-Identifier: Apache-2.0
#include "divns/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

#include "divns/random.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

// Values that any language makes the same way; with ties in quarters, with a zero in every fifth.
std::vector<double> differences(size_t n, uint64_t seed, bool ties, bool zeros) {
  std::vector<double> values;
  uint64_t state = seed;
  for (size_t i = 0; i < n; ++i) {
    state = (state * 1103515245 + 12345) % (uint64_t{1} << 31);
    double value = (static_cast<double>((state >> 8) % 200001) - 98000) / 100000;
    if (ties) value = std::nearbyint(value * 4) / 4;
    if (zeros && i % 5 == 0) value = 0;
    values.push_back(value);
  }
  return values;
}

// By scipy 1.10.1: ttest_rel(d, 0), wilcoxon(d, mode = "exact" or "approx").
struct Known {
  size_t n;
  uint64_t seed;
  bool ties, zeros;
  double t, t_p, positive, negative;
  bool exact;
  double rank_p;
};
constexpr Known kKnown[] = {
    {5, 1, false, false, 1.0985122346795166, 0.3336604058825548, 10, 5, true, 0.625},
    {12, 2, false, false, -1.1018947420724294, 0.2940331176623003, 25, 53, true, 0.30126953125},
    {50, 3, false, false, -0.0350018490462552, 0.9722204673455672, 635, 640, true,
     0.9847343420165711},
    {51, 4, false, false, -0.5188189356776632, 0.606175800417835, 603, 723, false,
     0.5738380614686378},
    {40, 5, true, true, -2.087709285708878, 0.043404680103276305, 168, 360, false,
     0.06891976765616574},
    {200, 6, true, true, 0.25794682409950787, 0.7967145076703842, 4247, 4138, false,
     0.8969337065265772},
    {1000, 7, true, false, -0.7350865129294458, 0.46245933246738846, 182016.5, 191663.5, false,
     0.5070300817197084},
};

TEST(Significance, KnownAnswersOfStudentsT) {
  for (const Known& known : kKnown) {
    const PairedT test = paired_t_test(differences(known.n, known.seed, known.ties, known.zeros));
    EXPECT_EQ(test.n, known.n);
    EXPECT_NEAR(test.t, known.t, 1e-9);
    EXPECT_NEAR(test.p, known.t_p, 1e-9);
    EXPECT_NEAR(test.dz, test.t / std::sqrt(static_cast<double>(known.n)), 1e-12);
  }
}

TEST(Significance, KnownAnswersOfWilcoxon) {
  for (const Known& known : kKnown) {
    const SignedRank test =
        wilcoxon_signed_rank(differences(known.n, known.seed, known.ties, known.zeros));
    EXPECT_EQ(test.positive, known.positive);
    EXPECT_EQ(test.negative, known.negative);
    EXPECT_EQ(test.exact, known.exact);
    EXPECT_NEAR(test.p, known.rank_p, 1e-9);
    EXPECT_NEAR(test.rank_biserial,
                (known.positive - known.negative) / (known.positive + known.negative), 1e-12);
  }
}

// Tails far beyond what 1 - cdf could tell from 0.
TEST(Significance, TinyProbabilitiesDoNotVanish) {
  std::vector<double> d;
  for (int i = 0; i < 1000; ++i) d.push_back(1 + 0.1 * (i % 7));
  EXPECT_GT(wilcoxon_signed_rank(d).p, 0);
  EXPECT_LT(wilcoxon_signed_rank(d).p, 1e-100);
  for (int i = 0; i < 1000; ++i) d.push_back(-0.5);
  EXPECT_GT(paired_t_test(d).p, 0);
  EXPECT_LT(paired_t_test(d).p, 1e-60);
}

TEST(Significance, DegenerateDifferences) {
  EXPECT_EQ(paired_t_test({}).p, 1);
  EXPECT_EQ(wilcoxon_signed_rank({}).p, 1);
  const std::vector<double> zeros(20, 0.0);
  EXPECT_EQ(paired_t_test(zeros).p, 1);
  EXPECT_EQ(wilcoxon_signed_rank(zeros).p, 1);
  EXPECT_EQ(wilcoxon_signed_rank(zeros).n, 0U);
  const std::vector<double> one = {0.25};
  EXPECT_EQ(paired_t_test(one).p, 1);
  EXPECT_EQ(paired_t_test(one).mean, 0.25);
  const std::vector<double> same(3, -0.5);
  EXPECT_EQ(paired_t_test(same).p, 0);
  EXPECT_EQ(paired_t_test(same).t, -std::numeric_limits<double>::infinity());
}

TEST(Significance, HolmByHand) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005};
  const std::vector<double> corrected = holm(p);
  const std::vector<double> expected = {0.03, 0.06, 0.06, 0.02};
  for (size_t i = 0; i < p.size(); ++i) EXPECT_DOUBLE_EQ(corrected[i], expected[i]);
  EXPECT_EQ(holm(std::vector<double>{0.7, 0.6}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm({}).empty());
}

// Two columns: normal deviates, and the same shifted, so that their intervals are shifted too.
TEST(Significance, BootstrapIsDeterministicAndKeepsColumnsTogether) {
  std::vector<double> rows;
  Draws draws = Random(3, "test").draws();
  for (int i = 0; i < 500; ++i) {
    rows.push_back(draws.normal());
    rows.push_back(rows.back() + 4);
    rows.push_back(2);
  }
  const std::vector<Interval> expected = bootstrap_means(rows, 3, {.seed = 5}, Executor(1));
  for (const int threads : {2, 7}) {
    const std::vector<Interval> other = bootstrap_means(rows, 3, {.seed = 5}, Executor(threads));
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(other[c].low, expected[c].low);
      EXPECT_EQ(other[c].high, expected[c].high);
    }
  }
  EXPECT_NEAR(expected[1].low, expected[0].low + 4, 1e-9);
  EXPECT_NEAR(expected[1].high, expected[0].high + 4, 1e-9);
  EXPECT_EQ(expected[2].low, 2);
  EXPECT_EQ(expected[2].high, 2);
  // 2 * 1.96 / sqrt(500) for unit variance.
  EXPECT_NEAR(expected[0].high - expected[0].low, 0.1753, 0.02);
}

TEST(Significance, BootstrapIntervalsCoverTheTruthAboutAsOftenAsTheySay) {
  int covered = 0;
  const Executor executor(1);
  for (uint64_t repeat = 0; repeat < 300; ++repeat) {
    Draws draws = Random(repeat, "coverage").draws();
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) values.push_back(draws.normal());
    const Interval interval =
        bootstrap_means(values, 1, {.resamples = 400, .seed = repeat}, executor)[0];
    if (interval.low <= 0 && interval.high >= 0) ++covered;
  }
  // 95 % of 300 is 285; the percentile method falls a little short for 40 values.
  EXPECT_GE(covered, 268);
  EXPECT_LE(covered, 297);
}

// The same arrays through scipy, where Debian's Python has it.
TEST(Significance, AgreesWithScipy) {
  const testing::TempFolder folder;
  const std::string probe = "/usr/bin/python3 -c 'import scipy.stats' >/dev/null 2>&1";
  if (std::system(probe.c_str()) != 0)  // NOLINT(concurrency-mt-unsafe)
    GTEST_SKIP() << "/usr/bin/python3 has no scipy";
  std::string input;
  std::vector<std::vector<double>> arrays;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Draws draws = Random(seed, "scipy").draws();
    std::vector<double> d(3 + draws.below(seed % 2 == 0 ? 45 : 400));
    for (double& value : d) {
      value = draws.normal() + 0.1;
      if (seed % 3 == 0) value = std::nearbyint(value * 2) / 2;
    }
    for (const double value : d) {
      char text[40];
      std::snprintf(text, sizeof text, "%.17g ", value);
      input += text;
    }
    input += "\n";
    arrays.push_back(std::move(d));
  }
  folder.write("in", input);
  folder.write(
      "script.py",
      "import sys, warnings\n"
      "import numpy as np\n"
      "from scipy import stats\n"
      "warnings.simplefilter('ignore')\n"
      "for line in open(sys.argv[1]):\n"
      "    d = np.array([float(x) for x in line.split()])\n"
      "    z = d[d != 0]\n"
      "    exact = len(d) <= 50 and len(z) == len(d) and len(set(abs(z))) == len(z)\n"
      "    t = stats.ttest_1samp(d, 0)\n"
      "    w = stats.wilcoxon(d, mode='exact' if exact else 'approx')\n"
      "    print(repr(float(t.statistic)), repr(float(t.pvalue)), repr(float(w.pvalue)))\n");
  const std::string command = "/usr/bin/python3 " + folder.file("script.py") + " " +
                              folder.file("in") + " >" + folder.file("out");
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  std::ifstream out(folder.file("out"));
  for (const std::vector<double>& d : arrays) {
    double t = 0;
    double t_p = 0;
    double rank_p = 0;
    ASSERT_TRUE(out >> t >> t_p >> rank_p);
    EXPECT_NEAR(paired_t_test(d).t, t, 1e-9 * (1 + std::fabs(t)));
    EXPECT_NEAR(paired_t_test(d).p, t_p, 1e-9);
    EXPECT_NEAR(wilcoxon_signed_rank(d).p, rank_p, 1e-9);
  }
}

}  // namespace
}  // namespace divns
