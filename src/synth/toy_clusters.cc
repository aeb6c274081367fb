// SPDX-License-Identifier: Apache-2.0
#include "base/portable_math.h"
#include "divns/dpp.h"
#include "divns/random.h"

namespace divns {

ToyClusters make_toy_clusters(uint64_t seed) {
  constexpr int kSizes[ToyClusters::kGroups] = {220, 90, 40, 25, 15, 10};
  Draws draws = Random(seed, "dpp.toy").draws();
  ToyClusters toy;
  for (int g = 0; g < ToyClusters::kGroups; ++g) {
    const auto [sine, cosine] =
        portable::sine_cosine_of_turns(static_cast<double>(g) / ToyClusters::kGroups);
    for (int i = 0; i < kSizes[g]; ++i) {
      toy.values.push_back(static_cast<float>(2.2 * cosine + 0.4 * draws.normal()));
      toy.values.push_back(static_cast<float>(2.2 * sine + 0.4 * draws.normal()));
      toy.groups.push_back(g);
    }
  }
  return toy;
}

}  // namespace divns
