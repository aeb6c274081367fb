// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "divns/embedding_view.h"
#include "divns/table.h"

namespace divns::testing {

// The pooled vectors of a view, scaled to unit length.
class UnitVectors {
 public:
  explicit UnitVectors(const EmbeddingView& raw)
      : users_(scaled(raw.users)), items_(scaled(raw.items)), view_(raw) {
    view_.users = users_.view();
    view_.items = items_.view();
  }
  const EmbeddingView& view() const { return view_; }

 private:
  static Table scaled(const VectorTable& raw) {
    Table unit(raw.rows, raw.dim);
    for (uint32_t i = 0; i < raw.rows; ++i) {
      double square = 0;
      for (uint32_t k = 0; k < raw.dim; ++k)
        square += double{raw.row(i)[k]} * double{raw.row(i)[k]};
      for (uint32_t k = 0; k < raw.dim; ++k)
        unit.row(i)[k] = static_cast<float>(double{raw.row(i)[k]} / std::sqrt(square));
    }
    return unit;
  }

  Table users_;
  Table items_;
  EmbeddingView view_;
};

}  // namespace divns::testing
