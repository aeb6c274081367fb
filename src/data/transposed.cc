// SPDX-License-Identifier: Apache-2.0
#include "data/transposed.h"

namespace divns {

Transposed::Transposed(const Interactions& pairs, uint32_t first, uint32_t last)
    : offsets_(size_t{pairs.item_count} + 1), user_count_(pairs.users()) {
  for (uint32_t user = first; user < last; ++user)
    for (const uint32_t item : pairs.row(user)) ++offsets_[item + 1];
  for (size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  users_.resize(offsets_.back());
  std::vector<uint64_t> next(offsets_.begin(), offsets_.end() - 1);
  for (uint32_t user = first; user < last; ++user)
    for (const uint32_t item : pairs.row(user)) users_[next[item]++] = user;
}

}  // namespace divns
