// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "divns/embedding_view.h"
#include "divns/sampler.h"
#include "kernels/vectors.h"

namespace divns {

// The pooled vector of a row, not scaled to unit length whatever the run scores by. `hops` are the
// tables of all hops of the view's users or items.
inline void pooled_vector(const EmbeddingView& view, std::span<const VectorTable> hops,
                          uint32_t row, float* out) {
  std::fill_n(out, view.users.stride, 0.0F);
  for (size_t l = 0; l < hops.size(); ++l)
    axpy(view.pool_weights[l], hops[l].row(row), out, view.users.stride);
}

// Adds entries and returns the index of the first.
inline size_t add_entries(ExtraGradients& extra, size_t count) {
  const size_t first = extra.targets.size();
  extra.targets.resize(first + count);
  extra.vectors.resize_rows(static_cast<uint32_t>(first + count));
  return first;
}

// Writes an entry for the pooled vector of a row.
inline void set_entry(ExtraGradients& extra, size_t entry, GradientTarget::Side side, uint32_t row,
                      const float* gradient) {
  extra.targets[entry] = {side, row, kEveryHop};
  std::copy_n(gradient, extra.vectors.stride(), extra.vectors.row(entry));
}

}  // namespace divns
