// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "divns/interactions.h"

namespace divns {

// The same pairs by item: row i holds the users of item i, ascending; all users, or those of
// first .. last - 1.
class Transposed {
 public:
  explicit Transposed(const Interactions& pairs) : Transposed(pairs, 0, pairs.users()) {}
  Transposed(const Interactions& pairs, uint32_t first, uint32_t last);
  // Here "users" are items and "items" are users; valid for the lifetime of this object.
  Interactions view() const { return {offsets_, users_, user_count_}; }

 private:
  std::vector<uint64_t> offsets_;
  std::vector<uint32_t> users_;
  uint32_t user_count_;
};

}  // namespace divns
