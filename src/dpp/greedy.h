// SPDX-License-Identifier: Apache-2.0
// Greedy MAP of a k-DPP with kernel B B^T + eps I, in three algorithms that choose the same rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/scratch.h"
#include "divns/dpp.h"
#include "dpp/feature_rows.h"
#include "dpp/residual_space.h"

namespace divns {

struct GreedyProblem {
  const FeatureRows& rows;
  size_t k = 0;  // at most rows.size()
  double jitter = 0;
  // Stop before a pick whose gain is not above jitter + this; negative: never.
  double smallest_residual = -1;
};

// Row indices and gains in the order of choice.
struct Picks {
  ScratchVector<uint32_t> rows;
  ScratchVector<double> gains;

  size_t size() const { return rows.size(); }
  void clear() {
    rows.clear();
    gains.clear();
  }
  void add(size_t row, double gain) {
    rows.push_back(static_cast<uint32_t>(row));
    gains.push_back(gain);
  }
};

// Scratch memory of one thread, reused from problem to problem.
struct GreedyScratch {
  ResidualSpace space;
  ScratchVector<double> residual;  // b_i^T M b_i, negative once row i is chosen
  ScratchVector<double> dots;
  ScratchVector<double> factor;  // Cholesky: picks x rows
  ScratchVector<double> along;
  // Lazy algorithm: bounds of all rows, and the frontier of rows that are up to date.
  ScratchVector<float> bound;
  ScratchVector<uint32_t> version;
  ScratchVector<float> history;
  ScratchVector<float> folded;
  ScratchVector<uint32_t> frontier;
  ScratchVector<float> fresh;
  ScratchVector<float> products;
  ScratchVector<uint32_t> waiting;
  ScratchVector<uint32_t> versions;
  ScratchVector<uint32_t> forgotten;
  // For the rank policy `rounds`.
  FeatureRows remaining;
  ScratchVector<uint32_t> numbers;
  ScratchVector<uint8_t> keep;
  Picks round;
};

void greedy_updates(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks);
void greedy_lazy(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks);
void greedy_cholesky(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks);

// The remaining picks of greedy_updates, from any state: scratch.space must belong to the picks so
// far, and scratch.residual must be exact for every row and negative for the chosen ones.
void continue_updates(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks);

// The row with the largest gain, the first one of equals: by first_gains() for the first pick, by
// the residuals later.
size_t next_pick(const FeatureRows& rows, std::span<const double> residual, const Picks& picks);

// The algorithm that was fastest in measurements (docs/notes/dpp.md).
DppAlgorithm choose_algorithm(size_t rows, size_t dim, size_t k);

// The jitter for rows that were scaled, and the gains without the scale.
double scaled_jitter(const FeatureRows& rows, double jitter);
void unscale_gains(const FeatureRows& rows, Picks& picks);

// The complete selection, including algorithm, rank policy and k > rows.
void greedy(const FeatureRows& rows, size_t k, const DppConfig& config, GreedyScratch& scratch,
            Picks& picks);

}  // namespace divns
