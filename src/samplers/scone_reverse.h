// SPDX-License-Identifier: Apache-2.0
// Runs vectors back along the diffusion, and gradients along the same way in the other direction.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "base/scratch.h"
#include "base/table.h"
#include "samplers/scone_score.h"
#include "samplers/ve_sde.h"

namespace divns {

// The way back, with what the score function adds at each level.
struct ReversePath {
  std::vector<ReverseStep> steps;
  std::vector<ScoreFunction::AtLevel> levels;
  // Rows with companions are mixed with them before every step but the last:
  //   x <- keep x + (1 - keep) companion.
  float keep = 1;
  // Backward holds the scores constant: their Jacobian is left out.
  bool detach_score = false;
};

class ReverseRun {
 public:
  ReverseRun(const ScoreFunction& function, Random noise, const Executor& executor);
  ~ReverseRun();

  // x <- x + sigma z, to the level of the first step. `batch` is the number that noise is drawn by.
  void add_noise(const ReversePath& path, uint32_t batch, Table& x, Table* companions);
  // From there to the mean of the last step, in place. `companions`, if any, are as many rows that
  // take the same steps by themselves; they end up wherever they were needed last.
  void forward(const ReversePath& path, uint32_t batch, Table& x, Table* companions);
  // Of the run just done: dLoss/dx goes in for the end and comes out for the start; that of the
  // companions is stored.
  void backward(const ReversePath& path, Table& gradient, Table* companion_gradient);

 private:
  struct Scratch;
  void block_forward(const ReversePath& path, uint32_t batch, size_t begin, size_t end, Table& x,
                     Table* companions, Scratch& scratch);
  void block_backward(const ReversePath& path, size_t begin, size_t end, Table& gradient,
                      Table* companion_gradient, Scratch& scratch) const;
  void fill_normals(uint32_t batch, size_t begin, size_t step, size_t rows, Scratch& scratch) const;

  const ScoreFunction& function_;
  Random noise_;
  const Executor& executor_;
  size_t stride_;
  std::vector<Scratch> scratch_;
  // What the score function keeps for backward, a row of x after the other: steps x (x and
  // companion) x two hidden layers.
  ScratchVector<float> tape_;
  size_t tape_a_row_ = 0;
};

}  // namespace divns
