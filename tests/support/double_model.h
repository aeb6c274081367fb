// SPDX-License-Identifier: Apache-2.0
// Both models and the loss in float64 with dense matrices: slow, short, and the judge of the fast
// ones.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "divns/interactions.h"
#include "divns/sampler.h"
#include "support/loss_cases.h"
#include "train/batch_gradients.h"

namespace divns::testing {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

// Users first, then items.
struct DoubleModel {
  Matrix parameters;
  Matrix adjacency;  // normalised, users + items squared
  size_t users = 0;
  int layers = 0;
  bool skip_layer0 = false;

  DoubleModel(const Interactions& train, int layer_count, bool skip)
      : users(train.users()), layers(layer_count), skip_layer0(skip) {
    const size_t nodes = users + train.item_count;
    Vector degree(nodes, 0);
    for (uint32_t u = 0; u < users; ++u)
      for (const uint32_t i : train.row(u)) ++degree[u], ++degree[users + i];
    adjacency.assign(nodes, Vector(nodes, 0));
    for (uint32_t u = 0; u < users; ++u)
      for (const uint32_t i : train.row(u))
        adjacency[u][users + i] = adjacency[users + i][u] =
            1 / std::sqrt(degree[u] * degree[users + i]);
  }

  std::vector<Matrix> hops() const {
    std::vector<Matrix> all = {parameters};
    const size_t dim = parameters[0].size();
    for (int l = 0; l < layers; ++l) {
      Matrix next(parameters.size(), Vector(dim, 0));
      for (size_t x = 0; x < next.size(); ++x)
        for (size_t y = 0; y < next.size(); ++y)
          for (size_t k = 0; k < dim; ++k) next[x][k] += adjacency[x][y] * all.back()[y][k];
      all.push_back(next);
    }
    return all;
  }
  double pool_weight(int hop) const {
    if (skip_layer0) return hop == 0 ? 0 : 1.0 / layers;
    return 1.0 / (layers + 1);
  }
  static Vector combine(const std::vector<std::pair<double, const Vector*>>& parts) {
    Vector sum(parts[0].second->size(), 0);
    for (const auto& [weight, vector] : parts)
      for (size_t k = 0; k < sum.size(); ++k) sum[k] += weight * (*vector)[k];
    return sum;
  }
  Vector pooled(const std::vector<Matrix>& all, size_t node) const {
    std::vector<std::pair<double, const Vector*>> parts;
    for (int l = 0; l <= layers; ++l)
      parts.emplace_back(pool_weight(l), &all[static_cast<size_t>(l)][node]);
    return combine(parts);
  }
};

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// A part of every negative, pooled or at hop 0: the weighted vector of one of its terms.
inline std::vector<Vector> parts_of(const DoubleModel& model, const std::vector<Matrix>& all,
                                    const Negatives& negatives, size_t part, bool ego) {
  std::vector<Vector> parts;
  for (size_t n = 0; n * negatives.terms_each < negatives.terms.size(); ++n) {
    Vector sum(model.parameters[0].size(), 0);
    if (part < negatives.terms_each) {
      const Term& term = negatives.terms[n * negatives.terms_each + part];
      const Vector vector =
          ego ? all[0][model.users + term.item] : model.pooled(all, model.users + term.item);
      for (size_t c = 0; c < sum.size(); ++c) sum[c] = double{term.weight} * vector[c];
    }
    parts.push_back(std::move(sum));
  }
  return parts;
}

// The literal reading of the options broadcast_loss and broadcast_regulariser: all B x B negatives
// x_bjk = first part of (b, k) + second part of (j, k), formed one by one.
inline void broadcast_densely(const DoubleModel& model, const std::vector<Matrix>& all,
                              const ObjectiveOptions& options, const Batch& batch,
                              const Negatives& negatives, ReferenceScores& scores,
                              double& squares) {
  const size_t per_row = negatives.per_row;
  for (const bool ego : {false, true}) {
    if (!(ego ? options.broadcast_regulariser : options.broadcast_loss)) continue;
    const std::vector<Vector> first = parts_of(model, all, negatives, 0, ego);
    const std::vector<Vector> second = parts_of(model, all, negatives, 1, ego);
    for (size_t b = 0; b < batch.size(); ++b) {
      if (!ego) scores.negatives[b].clear();
      for (size_t k = 0; k < per_row; ++k)
        for (size_t j = 0; j < batch.size(); ++j) {
          const Vector x =
              DoubleModel::combine({{1, &first[b * per_row + k]}, {1, &second[j * per_row + k]}});
          if (ego)
            squares += options.l2_negative.value_or(options.l2) * dot(x, x);
          else
            scores.negatives[b].push_back(dot(model.pooled(all, batch.users[b]), x));
        }
    }
  }
}

inline double reference_loss(const DoubleModel& model, const ObjectiveOptions& options,
                             const Batch& batch, const Negatives& negatives,
                             const ReferenceLoss& row_losses = reference_bpr) {
  const auto all = model.hops();
  const auto scaled = [&](Vector v, bool scales) {
    const double norm = std::sqrt(dot(v, v));
    if (scales)
      for (double& x : v) x /= norm;
    return v;
  };
  const auto scored = [&](const Vector& v) { return scaled(v, options.scales_items()); };
  ReferenceScores scores;
  scores.users.assign(batch.users.begin(), batch.users.end());
  scores.importance = negatives.importance;
  scores.row_weights = negatives.row_weights;
  double squares = 0;
  const double l2_negative = options.l2_negative.value_or(options.l2);
  for (size_t b = 0; b < batch.size(); ++b) {
    const Vector user = scaled(model.pooled(all, batch.users[b]), options.scales_users());
    const size_t positive = model.users + batch.positives[b];
    scores.positives.push_back(dot(user, scored(model.pooled(all, positive))));
    scores.negatives.emplace_back();
    squares +=
        options.l2_user.value_or(options.l2) * dot(all[0][batch.users[b]], all[0][batch.users[b]]) +
        options.l2_positive.value_or(options.l2) * dot(all[0][positive], all[0][positive]);
    for (size_t k = 0; k < negatives.per_row; ++k) {
      const size_t n = b * negatives.per_row + k;
      Vector mixed(user.size(), 0);
      Vector ego(user.size(), 0);
      for (size_t t = 0; t < negatives.terms_each; ++t) {
        const Term& term = negatives.terms[n * negatives.terms_each + t];
        if (term.weight == 0) continue;
        const size_t node = model.users + term.item;
        for (int l = 0; l <= model.layers; ++l) {
          if (term.hop != kEveryHop && term.hop != l) continue;
          const Vector& hop = all[static_cast<size_t>(l)][node];
          for (size_t c = 0; c < mixed.size(); ++c) {
            mixed[c] += double{term.weight} * model.pool_weight(l) * hop[c];
            if (l == 0) ego[c] += double{term.weight} * hop[c];
          }
          if (l == 0 && options.regularise_parts) squares += l2_negative * dot(hop, hop);
        }
      }
      if (!options.regularise_parts && !(options.broadcast_regulariser && negatives.broadcasts))
        squares += l2_negative * dot(ego, ego);
      scores.negatives.back().push_back(dot(user, scored(mixed)));
    }
  }
  if (negatives.broadcasts)
    broadcast_densely(model, all, options, batch, negatives, scores, squares);
  const auto rows = static_cast<double>(batch.size());
  return row_losses(scores) / rows + squares / (2 * rows);
}

}  // namespace divns::testing
