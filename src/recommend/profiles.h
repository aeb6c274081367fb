// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "divns/interactions.h"
#include "divns/recommend.h"
#include "divns/scores.h"

namespace divns {

// Throws Error for histories of another number of items.
UserProfiles profiles_of_histories(const Interactions& histories, uint32_t items);

// Ranks for profiles by vectors of items, or by item-item weights if the vectors are empty.
class ProfileScorer {
 public:
  // What the arguments show must live as long as the object. Throws Error for profiles of another
  // model.
  ProfileScorer(const VectorTable& item_vectors, const VectorTable& item_weights,
                const UserProfiles& profiles);
  ProfileScorer(const ProfileScorer&) = delete;
  ProfileScorer& operator=(const ProfileScorer&) = delete;

  Scorer scorer() const { return {users_, items_, scores_ ? &*scores_ : nullptr}; }
  // 0 .. users - 1
  const std::vector<uint32_t>& rows() const { return rows_; }

 private:
  VectorTable users_;
  VectorTable items_;
  std::optional<ItemWeightScores> scores_;
  std::vector<uint32_t> rows_;
};

}  // namespace divns
