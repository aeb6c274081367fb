// SPDX-License-Identifier: Apache-2.0
#include "samplers/rns.h"

#include "samplers/direct.h"

namespace divns {

std::unique_ptr<Sampler> make_rns() {
  return std::make_unique<DirectSampler>("rns", CandidateOptions());
}

}  // namespace divns
