// SPDX-License-Identifier: Apache-2.0
// Runs vectors backwards through the diffusion, and gradients through the same steps in reverse.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/scratch.h"
#include "divns/parallel.h"
#include "divns/random.h"
#include "divns/table.h"
#include "samplers/scone/score.h"
#include "samplers/scone/ve_sde.h"

namespace divns {

// The steps of the reverse diffusion, with the terms of the score function at each level.
struct ReversePath {
  std::vector<ReverseStep> steps;
  std::vector<ScoreFunction::AtLevel> levels;
  // Rows with companions are mixed with them before every step except the last:
  //   x <- keep x + (1 - keep) companion.
  float keep = 1;
  // backward() treats the scores as constant: their Jacobian is left out.
  bool detach_score = false;
};

class ReverseRun {
 public:
  ReverseRun(const ScoreFunction& function, Random noise, const Executor& executor);
  ~ReverseRun();

  // x <- x + sigma z, to the noise level of the first step. `batch` is the counter of the noise.
  void add_noise(const ReversePath& path, uint32_t batch, Table& x, Table* companions);
  // Runs all steps in place, up to the mean of the last step. `companions`, if any, are the same
  // number of rows, which take the same steps on their own. They end at the last step that reads
  // them.
  void forward(const ReversePath& path, uint32_t batch, Table& x, Table* companions);
  // For the last run: replaces dLoss/dx at the end by dLoss/dx at the start, and stores that of the
  // companions.
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
  // What the score function keeps for backward(), row by row of x: steps x (x and companion) x two
  // hidden layers.
  ScratchVector<float> tape_;
  size_t tape_a_row_ = 0;
};

}  // namespace divns
