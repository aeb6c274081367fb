// SPDX-License-Identifier: Apache-2.0
// The layers that SCONE's score function is trained as:
//   tau  = time2 tanh(time1 f(sigma)),
//   e    = tanh(encoder1 (input x)) + encoder_time tau,           skip = encoder2 e,
//   d    = tanh(decoder1 [skip, bottom skip]) + decoder_time tau,
//   score = output (decoder2 d).
// All but the three tanh's is linear, so a run computes with the folded ScoreFunction: a third of
// the work for the same function. Gradients are taken there and carried over to the layers.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "samplers/linear_layer.h"
#include "samplers/scone_score.h"

namespace divns {

class SconeNetwork {
 public:
  SconeNetwork(uint32_t dim, uint32_t inner, uint32_t hidden, uint64_t seed);

  std::vector<SamplerParameters> parameters(double learning_rate);

  // Sets the six layers of `function` to what the layers here come to.
  void fold(ScoreFunction& function) const;
  // From the gradients of the folded layers, those of the layers here; scaled to a norm of at most
  // `clip`. Returns the norm there was.
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
