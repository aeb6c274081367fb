// SPDX-License-Identifier: Apache-2.0
// Exact k-DPP sampling through the d x d dual C = B^T B, which has the same non-zero eigenvalues as
// B B^T. Needs one small eigendecomposition and nothing of size N x N.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "divns/random.h"
#include "dpp/elementary_symmetric.h"
#include "dpp/feature_rows.h"
#include "dpp/greedy.h"
#include "dpp/projection_dpp.h"

namespace divns {

// K = B B^T + eps I has the eigenvalues lambda_r + eps on the range of B, and eps elsewhere.
class DualSpectrum {
 public:
  explicit DualSpectrum(const FeatureRows& rows);

  size_t rank() const { return values_.size(); }
  const std::vector<double>& values() const { return values_; }
  // Column r of the frame, for r in `chosen`, is the eigenvector B x_r / sqrt(lambda_r) of B B^T.
  void eigenvectors(const FeatureRows& rows, const std::vector<size_t>& chosen, Frame& frame) const;

 private:
  size_t dim_;
  std::vector<double> values_;   // those above the numerical rank tolerance
  std::vector<double> vectors_;  // rank x dim
};

// The k-DPP of one problem, prepared for many draws. `rows` must outlive it.
class ExactKdpp {
 public:
  // k <= rows.size(), and k <= rank() if the jitter is 0.
  ExactKdpp(const FeatureRows& rows, const DualSpectrum& spectrum, size_t k, double jitter);

  // Appends k row indices.
  void draw(Draws& draws, ScratchVector<uint32_t>& chosen);

 private:
  size_t draw_signal_count(Draws& draws) const;
  void append_noise(size_t from, Draws& draws);

  const FeatureRows& rows_;
  const DualSpectrum& spectrum_;
  size_t k_;
  ElementarySymmetric symmetric_;
  std::vector<double>
      log_weights_;  // log weight of having a of the k eigenvectors in the range of B
  std::vector<size_t> signal_;
  Frame frame_;
  Frame range_;  // all eigenvectors in the range of B
  Frame basis_;  // the same and the noise, one vector per row
  ScratchVector<double> along_;
  ProjectionDpp projection_;
};

// The complete draw, including rank policy and k > rows. Gains refer to the order of the draw.
void exact(const FeatureRows& rows, size_t k, const DppConfig& config, Draws& draws,
           GreedyScratch& scratch, Picks& picks);

}  // namespace divns
