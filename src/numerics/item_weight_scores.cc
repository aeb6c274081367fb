// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "divns/scores.h"
#include "kernels/vectors.h"

namespace divns {
namespace {

// Columns that are summed for all users of a block before the next ones: rows that these users
// share are still in the cache. A multiple of kRowQuantum.
constexpr uint32_t kPanelColumns = 256;

std::vector<VectorTable> panels_of(const VectorTable& weights) {
  std::vector<VectorTable> panels;
  for (uint32_t begin = 0; begin < weights.dim; begin += kPanelColumns)
    panels.push_back({weights.data + begin, weights.rows,
                      std::min(kPanelColumns, weights.dim - begin), weights.stride});
  return panels;
}

}  // namespace

ItemWeightScores::ItemWeightScores(const Interactions& histories, const VectorTable& weights)
    : ItemWeightScores(histories, panels_of(weights)) {}

ItemWeightScores::ItemWeightScores(const Interactions& histories, std::vector<VectorTable> panels)
    : histories_(histories), panels_(std::move(panels)) {
  size_t longest = 0;
  for (uint32_t user = 0; user < users(); ++user)
    longest = std::max(longest, histories_.row(user).size());
  ones_.assign(longest, 1.0F);
}

void ItemWeightScores::score(std::span<const uint32_t> users, Table& scores) const {
  uint32_t first = 0;
  for (const VectorTable& panel : panels_) {
    // The kernel reads whole groups of kRowQuantum columns. The rest may lie at the end of what is
    // readable.
    const uint32_t whole = panel.dim / kRowQuantum * kRowQuantum;
    const VectorTable groups = {panel.data, panel.rows, whole, panel.stride};
    for (size_t n = 0; n < users.size(); ++n) {
      const std::span<const uint32_t> history = histories_.row(users[n]);
      float* out = scores.row(n) + first;
      gather_sum(groups, history.data(), ones_.data(), history.size(), out);
      for (uint32_t column = whole; column < panel.dim; ++column) {
        out[column] = 0;
        for (const uint32_t item : history) out[column] += panel.row(item)[column];
      }
    }
    first += panel.dim;
  }
}

}  // namespace divns
