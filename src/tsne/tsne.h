// SPDX-License-Identifier: Apache-2.0
// Barnes-Hut t-SNE (van der Maaten, JMLR 2014): maps points of many dimensions to the plane so that
// neighbours stay close. The same points, options and seed give the same bits for any number of
// threads.
//
//   const TsneResult map = tsne(model.item_vectors(), {.perplexity = 30, .seed = 1}, executor);
//   plot(map.positions[i].x, map.positions[i].y);
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "divns/parallel.h"
#include "divns/vectors.h"
#include "tsne/tree.h"

namespace divns {

struct TsneOptions {
  double perplexity = 30;
  int iterations = 1000;
  uint64_t seed = 1;
  // A group of points is treated as one point if its width is below theta times its distance; 0 is
  // exact.
  double theta = 0.5;
  // 0: points / 48, at least 50 (Belkina et al. 2019).
  double learning_rate = 0;
};

struct TsneResult {
  std::vector<PlanePoint> positions;
  // KL divergence of the map from the points, in nats: sum_ij p_ij log(p_ij / q_ij).
  double kl_divergence = 0;
};

// Needs more points than the perplexity. `on_iteration`, if set, is called with the number of
// iterations done.
TsneResult tsne(const VectorTable& points, const TsneOptions& options, const Executor& executor,
                const std::function<void(int)>& on_iteration = {});

// Affinities of the points, symmetric and sparse, as compressed rows. They sum to 1; there is no
// diagonal.
struct TsneAffinities {
  std::vector<uint64_t> offsets;
  std::vector<uint32_t> columns;  // ascending within a row
  std::vector<double> values;

  size_t points() const { return offsets.size() - 1; }
};

// p_ij = (p_j|i + p_i|j) / 2n over the 3 * perplexity nearest neighbours, where p_j|i is a Gaussian
// around i whose width makes its entropy log(perplexity).
TsneAffinities tsne_affinities(const VectorTable& points, double perplexity,
                               const Executor& executor);

struct TsneGradient {
  std::vector<PlanePoint> values;  // d KL / d position
  double kl_divergence = 0;        // without exaggeration
};

// The gradient with the attraction multiplied by `exaggeration`. The divergence costs one logarithm
// per affinity, so it is computed only on request and 0 otherwise.
TsneGradient tsne_gradient(const TsneAffinities& affinities,
                           const std::vector<PlanePoint>& positions, double theta,
                           double exaggeration, bool with_divergence, const Executor& executor);

}  // namespace divns
