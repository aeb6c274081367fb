// SPDX-License-Identifier: Apache-2.0
// Vectors for users who were not in training, from their items and fixed item vectors.
#pragma once

#include <vector>

#include "divns/parallel.h"
#include "divns/recommend.h"

namespace divns {

class FoldIn {
 public:
  // Prepares what all users share. `items` must live as long as the object.
  FoldIn(const VectorTable& items, const FoldInOptions& options, const Executor& executor);
  // histories.users() x dim.
  std::vector<float> vectors(const Interactions& histories, const Executor& executor) const;

 private:
  VectorTable items_;
  FoldInOptions options_;
  std::vector<double> gram_;  // dim x dim, of all items; for the ridge method
};

}  // namespace divns
