// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "divns/vectors.h"

namespace divns {

// Parameters of an earlier model that a training begins with.
struct InitialRows {
  static constexpr uint32_t kNone = 0xFFFFFFFFU;

  VectorTable users;
  VectorTable items;
  // For each user (item) of the training, the row of `users` (`items`), or kNone: the row begins as
  // in a training without an earlier model.
  std::vector<uint32_t> user_rows = {};
  std::vector<uint32_t> item_rows = {};
};

}  // namespace divns
