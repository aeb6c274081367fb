// SPDX-License-Identifier: Apache-2.0
#include "samplers/shared/shared.h"

#include "samplers/shared/set_draws.h"

namespace divns {

std::unique_ptr<Sampler> make_shared_set() {
  return std::make_unique<SetSampler>("shared");
}

}  // namespace divns
