// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "divns/sampler.h"
#include "divns/table.h"

namespace divns {

// The random choices of a training that another program ran. A trainer that is given a replay
// (TrainerParts::replay) asks it where it would draw random numbers otherwise, and so repeats that
// training step by step. The tests in tests/published compare the result with published figures
// digit by digit; with random numbers of our own they could only compare means.
//
// Everything else that a sampler draws still follows from the seed.
class Replay {
 public:
  virtual ~Replay() = default;

  // Writes the parameters that the training started from.
  virtual void initial_parameters(Table& users, Table& items) const = 0;
  // Writes the pairs of an epoch in their order. A pair is a position in train.items.
  virtual void order(uint32_t epoch, std::span<uint64_t> pairs) const = 0;
  // Writes the candidates of row b of a batch. Called from several threads.
  virtual void candidates(const Batch& batch, size_t b, std::span<uint32_t> out) const = 0;
  // Writes the weight of the positive at each hop for row b, for samplers that mix the positive
  // into the negative with random weights. Called from several threads.
  virtual void shares(const Batch& batch, size_t b, std::span<float> out) const = 0;
};

}  // namespace divns
