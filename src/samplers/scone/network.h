// SPDX-License-Identifier: Apache-2.0
// The layers that are trained as the score function of SCONE:
//   tau  = time2 tanh(time1 f(sigma)),
//   e    = tanh(encoder1 (input x)) + encoder_time tau,           skip = encoder2 e,
//   d    = tanh(decoder1 [skip, bottom skip]) + decoder_time tau,
//   score = output (decoder2 d).
// Everything except the three tanh functions is linear, so training computes with the folded
// ScoreFunction: the same function at a third of the cost. Its gradients are mapped to the layers.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "samplers/linear_layer.h"
#include "samplers/scone/score.h"

namespace divns {

class SconeNetwork {
 public:
  SconeNetwork(uint32_t dim, uint32_t inner, uint32_t hidden, uint64_t seed);

  std::vector<SamplerParameters> parameters(double learning_rate);

  // Sets the six layers of `function` to the products of the layers here.
  void fold(ScoreFunction& function) const;
  // Computes the gradients of the layers here from those of the folded layers, scaled to a norm of
  // at most `clip`. Returns the norm before scaling.
  double unfold_gradients(const ScoreFunction& function, double clip);

 private:
  std::vector<std::pair<const char*, LinearLayer*>> layers();

  LinearLayer time1_;
  LinearLayer time2_;
  LinearLayer input_;
  LinearLayer encoder1_;
  LinearLayer encoder_time_;
  LinearLayer encoder2_;
  LinearLayer bottom_;
  LinearLayer decoder1_;  // over [skip, bottom skip]
  LinearLayer decoder_time_;
  LinearLayer decoder2_;
  LinearLayer output_;
};

}  // namespace divns
