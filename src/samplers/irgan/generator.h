// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "divns/parallel.h"
#include "divns/sampler.h"
#include "divns/table.h"

namespace divns {

// The generator of IRGAN: a matrix factorisation of its own. Over a list of candidates c it has the
// distribution p_c = softmax_c(g_u . h_c / tau).
class Generator {
 public:
  Generator(uint32_t users, uint32_t items, uint32_t dim, double temperature, uint64_t seed);

  void probabilities(uint32_t user, std::span<const uint32_t> candidates,
                     std::span<float> out) const;

  // What a draw has taught: candidate `chosen` of the list earned `advantage`, a reward minus its
  // mean.
  struct Lesson {
    uint32_t user = 0;
    std::span<const uint32_t> candidates = {};
    std::span<const float> probabilities = {};
    size_t chosen = 0;
    double advantage = 0;
  };
  // The gradient of -mean over lessons of advantage * log p_chosen, in place of the last one. Sums
  // are in the order of the lessons.
  void learn(std::span<const Lesson> lessons, const Executor& executor);

  void list_parameters(double learning_rate, std::vector<SamplerParameters>& out);

 private:
  // A table and its gradient, zero but for the rows of the last batch.
  struct Side {
    Table values;
    Table gradient;
    std::vector<uint32_t> touched;

    Side(uint32_t rows, uint32_t dim) : values(rows, dim), gradient(rows, dim) {}
    void clear();
    void add(float factor, const float* direction, uint32_t row);
  };

  Side users_;
  Side items_;
  float temperature_;
};

}  // namespace divns
