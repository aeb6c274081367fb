// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/random.h"
#include "samplers/sampler.h"

namespace divns {

// DNS(M, N): of N candidates the M that score highest, and of these one by lot. M = 1 is DNS,
// M = N is uniform sampling. With use_all_m the loss is the mean of the M losses instead.
std::unique_ptr<Sampler> make_dns_mn();

// How one of M ranks is drawn.
enum class RankLaw {
  kUniform,   // 1 / M
  kHarmonic,  // proportional to 1 / (rank from 1)
};
uint32_t draw_rank(RankLaw law, uint32_t ranks, Draws& draws);

}  // namespace divns
