// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "divns/interactions.h"

namespace divns {

// The same pairs by item: row i holds the users of item i, ascending.
class Transposed {
 public:
  explicit Transposed(const Interactions& pairs);
  // Here "users" are items and "items" are users; valid for the lifetime of this object.
  Interactions view() const { return {offsets_, users_, user_count_}; }

 private:
  std::vector<uint64_t> offsets_;
  std::vector<uint32_t> users_;
  uint32_t user_count_;
};

}  // namespace divns
