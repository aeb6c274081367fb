// SPDX-License-Identifier: Apache-2.0
#include "recommend/item_neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recommend/ranked_rows.h"

namespace divns {
namespace {

// How near item j is to item i, by item-item weights B. For EASE, B_ij = -P_ij / P_jj with P the
// inverse of X^T X + l2 I, so B_ij B_ji = P_ij^2 / (P_ii P_jj) is the square of the correlation of
// i and j given all other items, and both weights have its sign.
class ItemNeighbours final : public ScoreSource {
 public:
  ItemNeighbours(const VectorTable& weights, Similarity measure)
      : weights_(weights), measure_(measure) {}

  uint32_t users() const override { return weights_.rows; }
  uint32_t items() const override { return weights_.rows; }

  void score(std::span<const uint32_t> rows, Table& scores) const override {
    for (size_t n = 0; n < rows.size(); ++n) {
      const uint32_t i = rows[n];
      float* out = scores.row(n);
      for (uint32_t j = 0; j < items(); ++j) out[j] = nearness(i, j);
      out[i] = -std::numeric_limits<float>::infinity();  // not in its own list
    }
  }

 private:
  float nearness(uint32_t i, uint32_t j) const {
    const float back = weights_.row(j)[i];
    if (measure_ == Similarity::kDot) return back;
    const float forth = weights_.row(i)[j];
    return std::copysign(std::sqrt(std::max(forth * back, 0.0F)), forth);
  }

  VectorTable weights_;
  Similarity measure_;
};

}  // namespace

TopItems nearest_by_weights(const VectorTable& weights, std::span<const uint32_t> items, uint32_t k,
                            Similarity measure, const Executor& executor) {
  check_places(k);
  check_rows(items, weights.rows, "row");
  return rank_into_arrays(ItemNeighbours(weights, measure),
                          {.users = {}, .rows = items, .masks = {}, .k = k}, executor);
}

}  // namespace divns
