// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "divns/vectors.h"

namespace divns {

// Clusters of unequal size in the plane: what uniform draws see of it is the large ones.
struct ToyClusters {
  static constexpr int kGroups = 6;
  std::vector<float> values;  // x and y of each point
  std::vector<int> groups;    // by point

  VectorTable points() const { return {values.data(), static_cast<uint32_t>(groups.size()), 2, 2}; }
};

ToyClusters make_toy_clusters(uint64_t seed);

}  // namespace divns
