// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "divns/random.h"
#include "divns/sampler.h"

namespace divns {

// DNS(M, N): of the M highest-scoring of N candidates, take a random one. M = 1 is DNS, M = N is
// uniform sampling. With use_all_m the loss is the mean over the M instead.
std::unique_ptr<Sampler> make_dns_mn();

// Distribution over the M ranks.
enum class RankLaw {
  kUniform,   // 1 / M
  kHarmonic,  // proportional to 1 / (rank from 1)
};
uint32_t draw_rank(RankLaw law, uint32_t ranks, Draws& draws);

}  // namespace divns
