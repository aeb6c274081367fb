// SPDX-License-Identifier: Apache-2.0
#include "tsne/tsne.h"

#include <algorithm>
#include <cmath>

#include "divns/random.h"

namespace divns {
namespace {

constexpr size_t kPointsPerChunk = 128;
// Early exaggeration: neighbours attract each other more strongly at first, so that groups form.
constexpr double kExaggeration = 12;
constexpr int kExaggeratedIterations = 250;
constexpr double kEarlyMomentum = 0.5, kMomentum = 0.8;

// Gradient steps with momentum and one gain per coordinate (Jacobs 1988): the gain grows while the
// gradient keeps its sign, and shrinks when it changes.
class Descent {
 public:
  Descent(size_t points, double learning_rate)
      : learning_rate_(learning_rate), steps_(points), gains_(points, PlanePoint{1, 1}) {}

  void step(const std::vector<PlanePoint>& gradient, double momentum,
            std::vector<PlanePoint>& positions, const Executor& executor) {
    executor.for_chunks(positions.size(), kPointsPerChunk, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        advance(gradient[i].x, momentum, gains_[i].x, steps_[i].x, positions[i].x);
        advance(gradient[i].y, momentum, gains_[i].y, steps_[i].y, positions[i].y);
      }
    });
  }

 private:
  void advance(double gradient, double momentum, double& gain, double& step,
               double& position) const {
    gain = gradient * step < 0 ? gain + 0.2 : std::max(0.8 * gain, 0.01);
    step = momentum * step - learning_rate_ * gain * gradient;
    position += step;
  }

  double learning_rate_;
  std::vector<PlanePoint> steps_;
  std::vector<PlanePoint> gains_;
};

std::vector<PlanePoint> initial_positions(size_t points, uint64_t seed) {
  const Random random(seed, "tsne");
  std::vector<PlanePoint> positions(points);
  for (uint32_t i = 0; i < points; ++i) {
    Draws draws = random.draws(i);
    positions[i].x = 1e-4 * draws.normal();
    positions[i].y = 1e-4 * draws.normal();
  }
  return positions;
}

// Centres the map: a drift of the whole map has no meaning but costs precision.
void centre(std::vector<PlanePoint>& positions) {
  PlanePoint sum;
  for (const PlanePoint& p : positions) sum = {sum.x + p.x, sum.y + p.y};
  const auto n = static_cast<double>(positions.size());
  for (PlanePoint& p : positions) p = {p.x - sum.x / n, p.y - sum.y / n};
}

// With w_ij = 1 / (1 + |y_i - y_j|^2): the sum of p_ij w_ij (y_i - y_j) over j.
PlanePoint attraction(const TsneAffinities& affinities, const std::vector<PlanePoint>& positions,
                      size_t i) {
  PlanePoint sum;
  for (uint64_t e = affinities.offsets[i]; e < affinities.offsets[i + 1]; ++e) {
    const PlanePoint& other = positions[affinities.columns[e]];
    const double dx = positions[i].x - other.x, dy = positions[i].y - other.y;
    const double pull = affinities.values[e] / (1 + dx * dx + dy * dy);
    sum = {sum.x + pull * dx, sum.y + pull * dy};
  }
  return sum;
}

// sum_ij p_ij log(p_ij / q_ij) with q_ij = w_ij / mass.
double divergence(const TsneAffinities& affinities, const std::vector<PlanePoint>& positions,
                  double mass, const Executor& executor) {
  return executor.map_reduce(
      positions.size(), kPointsPerChunk, 0.0,
      [&](size_t begin, size_t end) {
        double sum = 0;
        for (size_t i = begin; i < end; ++i)
          for (uint64_t e = affinities.offsets[i]; e < affinities.offsets[i + 1]; ++e) {
            const double p = affinities.values[e];
            if (p <= 0) continue;
            const PlanePoint& other = positions[affinities.columns[e]];
            const double dx = positions[i].x - other.x, dy = positions[i].y - other.y;
            sum += p * std::log(p * mass * (1 + dx * dx + dy * dy));
          }
        return sum;
      },
      [](double a, double b) { return a + b; });
}

}  // namespace

TsneGradient tsne_gradient(const TsneAffinities& affinities,
                           const std::vector<PlanePoint>& positions, double theta,
                           double exaggeration, bool with_divergence, const Executor& executor) {
  const TsneTree tree(positions);
  TsneGradient gradient;
  gradient.values.resize(positions.size());
  // Repulsion first, in the order of the tree, where neighbours visit the same nodes.
  const double mass = executor.map_reduce(
      positions.size(), kPointsPerChunk, 0.0,
      [&](size_t begin, size_t end) {
        double sum = 0;
        for (size_t place = begin; place < end; ++place) {
          const auto result = tree.repulsion(static_cast<uint32_t>(place), theta);
          gradient.values[tree.point_at(static_cast<uint32_t>(place))] = result.force;
          sum += result.mass;
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
  executor.for_chunks(positions.size(), kPointsPerChunk, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const PlanePoint pull = attraction(affinities, positions, i);
      PlanePoint& value = gradient.values[i];
      value = {4 * (exaggeration * pull.x - value.x / mass),
               4 * (exaggeration * pull.y - value.y / mass)};
    }
  });
  if (with_divergence) gradient.kl_divergence = divergence(affinities, positions, mass, executor);
  return gradient;
}

TsneResult tsne(const VectorTable& points, const TsneOptions& options, const Executor& executor,
                const std::function<void(int)>& on_iteration) {
  const TsneAffinities affinities = tsne_affinities(points, options.perplexity, executor);
  const double n = points.rows;
  const double rate =
      options.learning_rate > 0 ? options.learning_rate : std::max(n / (4 * kExaggeration), 50.0);
  const int exaggerated = std::min(kExaggeratedIterations, options.iterations / 2);
  TsneResult result;
  result.positions = initial_positions(points.rows, options.seed);
  Descent descent(points.rows, rate);
  for (int t = 0; t < options.iterations; ++t) {
    const bool early = t < exaggerated;
    const TsneGradient gradient = tsne_gradient(affinities, result.positions, options.theta,
                                                early ? kExaggeration : 1, false, executor);
    descent.step(gradient.values, early ? kEarlyMomentum : kMomentum, result.positions, executor);
    centre(result.positions);
    if (on_iteration) on_iteration(t + 1);
  }
  result.kl_divergence =
      tsne_gradient(affinities, result.positions, options.theta, 1, true, executor).kl_divergence;
  return result;
}

}  // namespace divns
