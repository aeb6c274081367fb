// SPDX-License-Identifier: Apache-2.0
// Barnes-Hut t-SNE (van der Maaten, JMLR 2014): points of many dimensions as a map in the plane,
// neighbours near each other. Same points, options and seed, same bits, for any number of threads.
//
//   const TsneResult map = tsne(model.item_vectors(), {.perplexity = 30, .seed = 1}, executor);
//   plot(map.positions[i].x, map.positions[i].y);
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/parallel.h"
#include "divns/vectors.h"
#include "study/tsne_tree.h"

namespace divns {

struct TsneOptions {
  double perplexity = 30;
  int iterations = 1000;
  uint64_t seed = 1;
  // A group of points counts as one point where its width is below theta times its distance; 0 is
  // exact.
  double theta = 0.5;
  // 0: points / 48, at least 50 (Belkina et al. 2019).
  double learning_rate = 0;
};

struct TsneResult {
  std::vector<PlanePoint> positions;
  // Of the map from the points, in nats: sum_ij p_ij log(p_ij / q_ij).
  double kl_divergence = 0;
};

// Needs more points than the perplexity. `on_iteration`, if set, is told how many are done.
TsneResult tsne(const VectorTable& points, const TsneOptions& options, const Executor& executor,
                const std::function<void(int)>& on_iteration = {});

// Affinities of the points, symmetric and sparse, as compressed rows; they sum to 1 and the
// diagonal is absent.
struct TsneAffinities {
  std::vector<uint64_t> offsets;
  std::vector<uint32_t> columns;  // ascending within a row
  std::vector<double> values;

  size_t points() const { return offsets.size() - 1; }
};

// p_ij = (p_j|i + p_i|j) / 2n over the 3 * perplexity nearest neighbours, p_j|i a Gaussian around i
// as wide as makes its entropy log(perplexity).
TsneAffinities tsne_affinities(const VectorTable& points, double perplexity,
                               const Executor& executor);

struct TsneGradient {
  std::vector<PlanePoint> values;  // d KL / d position
  double kl_divergence = 0;        // of the affinities as they are, whatever the exaggeration
};

// The gradient with attraction multiplied by `exaggeration`. The divergence costs a logarithm for
// each affinity, so it is left 0 unless asked for.
TsneGradient tsne_gradient(const TsneAffinities& affinities,
                           const std::vector<PlanePoint>& positions, double theta,
                           double exaggeration, bool with_divergence, const Executor& executor);

}  // namespace divns
