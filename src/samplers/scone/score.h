// SPDX-License-Identifier: Apache-2.0
// The score function of SCONE in the form in which it is computed (network.h has its layers and
// their training):
//   time   = tanh(T f(sigma) + t)                 f: sines and cosines of the noise level
//   first  = tanh(A x + a)
//   second = tanh(B first + D time + b)
//   score  = C second + E time + c
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "divns/aligned.h"
#include "samplers/linear_layer.h"

namespace divns {

// Width of `time`, in widths of x.
inline constexpr uint32_t kTimeWidths = 4;

// Sines, then cosines, of sigma * 10000^(-k / (half - 1)), k < half = size / 2; an odd last is 0.
void noise_features(double sigma, std::span<float> out);

class ScoreFunction {
 public:
  ScoreFunction(uint32_t dim, uint32_t hidden, const Executor& executor);
  ~ScoreFunction();

  uint32_t dim() const { return first.in(); }
  uint32_t hidden_stride() const { return first.bias.stride(); }

  LinearLayer time;         // T, t
  LinearLayer first;        // A, a
  LinearLayer second;       // B, b
  LinearLayer second_time;  // D; its bias is not used
  LinearLayer score;        // C, c
  LinearLayer score_time;   // E; its bias is not used

  // The terms of one noise level: a bias in the argument of `second`, and one in the score.
  struct AtLevel {
    AlignedVector<float> second;
    AlignedVector<float> score;
  };
  AtLevel at_level(double sigma) const;

  // Scores of `rows` rows of x at one level; rows of x and `out` have padded(dim) columns. `kept`
  // receives what backward() needs: two blocks of rows * hidden_stride().
  void forward(size_t rows, const float* x, const AtLevel& level, float* kept, float* out) const;
  // dx = (dscore/dx)^T gradient, row by row. `work` has the size of `kept`.
  void backward(size_t rows, const float* kept, const float* gradient, float* work,
                float* dx) const;

  // Denoising score matching: the sum over rows and coordinates of
  //   weight (sigma score(x + sigma z, sigma) + z)^2,
  // Its gradients by the six layers are written, or added.
  double matching_loss(const Table& clean, const Table& noise, std::span<const double> sigmas,
                       double weight, bool add);

 private:
  struct Rows;
  void matching_rows(const Table& clean, const Table& noise, std::span<const double> sigmas,
                     double weight, size_t begin, size_t end);

  const Executor& executor_;
  std::unique_ptr<Rows> rows_;
};

}  // namespace divns
