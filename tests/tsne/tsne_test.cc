// SPDX-License-Identifier: Apache-2.0
#include "tsne/tsne.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/files.h"
#include "divns/random.h"
#include "divns/table.h"
#include "support/errors.h"
#include "support/tables.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

std::vector<PlanePoint> random_plane(size_t points, uint64_t seed, double scale) {
  const Random random(seed, "plane");
  std::vector<PlanePoint> plane(points);
  for (uint32_t i = 0; i < points; ++i) {
    Draws draws = random.draws(i);
    plane[i].x = scale * draws.normal();
    plane[i].y = scale * draws.normal();
  }
  return plane;
}

// `clusters` groups of `each` points, well apart.
Table clustered(uint32_t clusters, uint32_t each, uint32_t dim) {
  Table table(clusters * each, dim);
  const Random centres(1, "centres"), points(1, "points");
  for (uint32_t c = 0; c < clusters; ++c)
    for (uint32_t i = 0; i < each; ++i) {
      Draws centre = centres.draws(c), draws = points.draws(c, i);
      for (uint32_t k = 0; k < dim; ++k)
        table.row(c * each + i)[k] = static_cast<float>(6 * centre.normal() + draws.normal());
    }
  return table;
}

// Plain sums over all pairs.
struct Exact {
  std::vector<PlanePoint> gradient;
  double kl = 0;

  Exact(const TsneAffinities& affinities, const std::vector<PlanePoint>& y, double exaggeration) {
    const size_t n = y.size();
    std::vector<double> p(n * n, 0.0), w(n * n, 0.0);
    for (size_t i = 0; i < n; ++i)
      for (uint64_t e = affinities.offsets[i]; e < affinities.offsets[i + 1]; ++e)
        p[i * n + affinities.columns[e]] = affinities.values[e];
    double mass = 0;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) {
        if (i == j) continue;
        const double dx = y[i].x - y[j].x, dy = y[i].y - y[j].y;
        w[i * n + j] = 1 / (1 + dx * dx + dy * dy);
        mass += w[i * n + j];
      }
    gradient.resize(n);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) {
        const double q = w[i * n + j] / mass, each = p[i * n + j];
        const double factor = 4 * (exaggeration * each - q) * w[i * n + j];
        gradient[i].x += factor * (y[i].x - y[j].x);
        gradient[i].y += factor * (y[i].y - y[j].y);
        if (each > 0) kl += each * std::log(each / q);
      }
  }
};

double error_of(const std::vector<PlanePoint>& a, const std::vector<PlanePoint>& b) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(a[i].x - b[i].x, 2) + std::pow(a[i].y - b[i].y, 2);
    size += b[i].x * b[i].x + b[i].y * b[i].y;
  }
  return std::sqrt(difference / size);
}

TEST(Tsne, WithoutGroupingTheTreeIsExact) {
  const Executor executor(2);
  const Table points = testing::random_table(200, 5, 1);
  const TsneAffinities affinities = tsne_affinities(points.view(), 10, executor);
  for (const double exaggeration : {1.0, 12.0}) {
    const auto y = random_plane(200, 2, 3);
    const TsneGradient fast = tsne_gradient(affinities, y, 0, exaggeration, true, executor);
    const Exact exact(affinities, y, exaggeration);
    EXPECT_LT(error_of(fast.values, exact.gradient), 1e-12);
    EXPECT_NEAR(fast.kl_divergence, exact.kl, 1e-12);
  }
}

TEST(Tsne, GroupingIsClose) {
  const Executor executor(2);
  const Table points = testing::random_table(600, 5, 1);
  const TsneAffinities affinities = tsne_affinities(points.view(), 10, executor);
  const auto y = random_plane(600, 2, 20);
  const Exact exact(affinities, y, 1);
  const TsneGradient half = tsne_gradient(affinities, y, 0.5, 1, true, executor);
  EXPECT_LT(error_of(half.values, exact.gradient), 0.02);
  EXPECT_GT(error_of(half.values, exact.gradient), 1e-9) << "nothing was grouped";
  EXPECT_NEAR(half.kl_divergence, exact.kl, 0.01);
}

TEST(Tsne, PointsOnTopOfEachOther) {
  const Executor executor(1);
  const Table points = testing::random_table(40, 3, 1);
  const TsneAffinities affinities = tsne_affinities(points.view(), 5, executor);
  std::vector<PlanePoint> y = random_plane(40, 3, 1);
  for (size_t i = 0; i < 30; ++i) y[i] = y[0];
  const TsneGradient fast = tsne_gradient(affinities, y, 0.5, 1, true, executor);
  EXPECT_LT(error_of(fast.values, Exact(affinities, y, 1).gradient), 0.05);
  std::fill(y.begin(), y.end(), PlanePoint{1, 1});
  for (const PlanePoint& g : tsne_gradient(affinities, y, 0.5, 1, false, executor).values)
    EXPECT_EQ(g, PlanePoint{});
}

TEST(Tsne, GradientAgreesWithFiniteDifferences) {
  const Executor executor(1);
  const Table points = testing::random_table(30, 4, 7);
  const TsneAffinities affinities = tsne_affinities(points.view(), 6, executor);
  std::vector<PlanePoint> y = random_plane(30, 5, 1.5);
  const auto kl = [&] { return tsne_gradient(affinities, y, 0, 1, true, executor).kl_divergence; };
  const TsneGradient gradient = tsne_gradient(affinities, y, 0, 1, false, executor);
  for (size_t i = 0; i < y.size(); i += 3)
    for (double PlanePoint::*axis : {&PlanePoint::x, &PlanePoint::y}) {
      const double at = y[i].*axis, step = 1e-5;
      y[i].*axis = at + step;
      const double above = kl();
      y[i].*axis = at - step;
      const double below = kl();
      y[i].*axis = at;
      EXPECT_NEAR(gradient.values[i].*axis, (above - below) / (2 * step), 1e-8);
    }
}

TEST(Tsne, AffinitiesAreThoseOfTheNearestNeighbours) {
  const uint32_t n = 60;
  const double perplexity = 8;
  const Table points = testing::random_table(n, 4, 3);
  const TsneAffinities affinities = tsne_affinities(points.view(), perplexity, Executor(2));
  std::map<std::pair<uint32_t, uint32_t>, double> values;
  double sum = 0;
  for (uint32_t i = 0; i < n; ++i)
    for (uint64_t e = affinities.offsets[i]; e < affinities.offsets[i + 1]; ++e) {
      EXPECT_NE(affinities.columns[e], i);
      if (e > affinities.offsets[i]) {
        EXPECT_LT(affinities.columns[e - 1], affinities.columns[e]);
      }
      values[{i, affinities.columns[e]}] = affinities.values[e];
      sum += affinities.values[e];
    }
  EXPECT_NEAR(sum, 1, 1e-12);

  std::map<std::pair<uint32_t, uint32_t>, double> expected;
  for (uint32_t i = 0; i < n; ++i) {
    std::vector<std::pair<double, uint32_t>> near;
    for (uint32_t j = 0; j < n; ++j) {
      double square = 0;
      for (uint32_t k = 0; k < 4; ++k)
        square += std::pow(double{points.row(i)[k]} - double{points.row(j)[k]}, 2);
      if (j != i) near.emplace_back(square, j);
    }
    std::sort(near.begin(), near.end());
    near.resize(24);
    // The precision whose entropy is log(perplexity), by trying many.
    double low = 1e-6, high = 1e6, norm = 0;
    for (int step = 0; step < 200; ++step) {
      const double precision = std::sqrt(low * high);
      double entropy = 0;
      norm = 0;
      for (const auto& [square, j] : near) norm += std::exp(-precision * square);
      for (const auto& [square, j] : near) {
        const double p = std::exp(-precision * square) / norm;
        entropy -= p * std::log(p);
      }
      (entropy > std::log(perplexity) ? low : high) = precision;
    }
    for (const auto& [square, j] : near) {
      const double half = std::exp(-low * square) / norm / (2 * n);
      expected[{i, j}] += half;
      expected[{j, i}] += half;
    }
  }
  ASSERT_EQ(values.size(), expected.size());
  for (const auto& [pair, value] : expected) EXPECT_NEAR(values.at(pair), value, 1e-9);
}

TEST(Tsne, ClustersComeApart) {
  const uint32_t clusters = 4, each = 40;
  const Table points = clustered(clusters, each, 10);
  const Executor executor(2);
  const TsneResult map = tsne(points.view(), {.perplexity = 15, .iterations = 400}, executor);
  for (uint32_t i = 0; i < clusters * each; ++i) {
    const auto distance = [&](uint32_t j) {
      return std::hypot(map.positions[i].x - map.positions[j].x,
                        map.positions[i].y - map.positions[j].y);
    };
    double inside = 0, outside = 1e300;
    for (uint32_t j = 0; j < clusters * each; ++j)
      if (i / each == j / each)
        inside = std::max(inside, distance(j));
      else
        outside = std::min(outside, distance(j));
    EXPECT_LT(inside, 2 * outside) << "point " << i;
  }
  const TsneResult early = tsne(points.view(), {.perplexity = 15, .iterations = 20}, executor);
  EXPECT_LT(map.kl_divergence, early.kl_divergence);
  EXPECT_GT(map.kl_divergence, 0);
}

TEST(Tsne, SameBitsForAnyNumberOfThreads) {
  const Table points = clustered(3, 150, 6);
  const TsneOptions options{.perplexity = 12, .iterations = 60, .seed = 4};
  const TsneResult one = tsne(points.view(), options, Executor(1));
  for (const int threads : {2, 7}) {
    const TsneResult other =
        tsne(points.view(), options, Executor(threads, static_cast<uint64_t>(threads)));
    EXPECT_EQ(other.positions, one.positions);
    EXPECT_EQ(other.kl_divergence, one.kl_divergence);
  }
  TsneOptions reseeded = options;
  reseeded.seed = 5;
  EXPECT_NE(tsne(points.view(), reseeded, Executor(1)).positions, one.positions);
}

TEST(Tsne, RefusesMoreNeighboursThanPoints) {
  const Table points = testing::random_table(20, 3, 1);
  EXPECT_ERROR(tsne(points.view(), {.perplexity = 19}, Executor(1)), "less than the 19 others");
  EXPECT_ERROR(tsne({}, {}, Executor(1)), "a map of 0 points");
}

TEST(Tsne, DivergenceIsThatOfScikitLearn) {
  const char* const python = "/usr/bin/python3";
  const auto run = [&](const std::string& arguments) {
    return std::system((python + (" " + arguments)).c_str());  // NOLINT(concurrency-mt-unsafe)
  };
  if (run("-c 'import sklearn' 2>/dev/null") != 0)
    GTEST_SKIP() << "scikit-learn is not installed for " << python << " (python3-sklearn).";
  const Table points = clustered(5, 40, 8);
  std::string text;
  for (uint32_t i = 0; i < points.rows(); ++i)
    for (uint32_t k = 0; k < points.dim(); ++k)
      text += fmt::format("{}{}", points.row(i)[k], k + 1 < points.dim() ? "," : "\n");
  const testing::TempFolder folder;
  folder.write("points.csv", text);
  folder.write("map.py",
               "import numpy, sys\n"
               "from sklearn.manifold import TSNE\n"
               "x = numpy.loadtxt(sys.argv[1], delimiter=',')\n"
               "maps = [TSNE(perplexity=20, init='random', learning_rate='auto', n_iter=1000,\n"
               "             random_state=s).fit(x) for s in range(2)]\n"
               "open(sys.argv[2], 'w').write(str(min(m.kl_divergence_ for m in maps)))\n");
  ASSERT_EQ(run(folder.file("map.py") + " " + folder.file("points.csv") + " " + folder.file("kl")),
            0);
  const double theirs = std::stod(read_text_file(folder.file("kl")));
  double ours = 1e300;
  for (uint64_t seed = 0; seed < 2; ++seed)
    ours = std::min(
        ours, tsne(points.view(), {.perplexity = 20, .seed = seed}, Executor(2)).kl_divergence);
  EXPECT_NEAR(ours, theirs, 0.05 * theirs);
}

}  // namespace
}  // namespace divns
