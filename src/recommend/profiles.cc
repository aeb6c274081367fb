// SPDX-License-Identifier: Apache-2.0
#include "recommend/profiles.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace divns {

void UserProfiles::append(const UserProfiles& others) {
  users += others.users;
  vectors.insert(vectors.end(), others.vectors.begin(), others.vectors.end());
  for (size_t u = 1; u < others.offsets.size(); ++u)
    offsets.push_back(items.size() + others.offsets[u]);
  items.insert(items.end(), others.items.begin(), others.items.end());
}

UserProfiles profiles_of_histories(const Interactions& histories, uint32_t items) {
  if (histories.item_count != items)
    fail("The histories have {} items, but the model has {}.", histories.item_count, items);
  return {.users = histories.users(),
          .vectors = {},
          .offsets = {histories.offsets.begin(), histories.offsets.end()},
          .items = {histories.items.begin(), histories.items.end()}};
}

ProfileScorer::ProfileScorer(const VectorTable& item_vectors, const VectorTable& item_weights,
                             const UserProfiles& profiles)
    : users_{profiles.vectors.data(), item_vectors.dim > 0 ? profiles.users : 0, item_vectors.dim,
             item_vectors.dim},
      items_(item_vectors),
      rows_(profiles.users) {
  std::iota(rows_.begin(), rows_.end(), 0U);
  if (profiles.vectors.size() != size_t{users_.rows} * users_.dim)
    fail("The profiles of {} users do not have {} columns each: they are of another model.",
         profiles.users, item_vectors.dim);
  if (item_vectors.dim > 0) return;
  if (profiles.offsets.size() != size_t{profiles.users} + 1)
    fail("The profiles of {} users do not name their items: they are of another model.",
         profiles.users);
  const bool is_whole = profiles.offsets.front() == 0 &&
                        profiles.offsets.back() == profiles.items.size() &&
                        std::ranges::is_sorted(profiles.offsets);
  if (!is_whole ||
      std::ranges::any_of(profiles.items, [&](uint32_t item) { return item >= item_weights.rows; }))
    fail("The profiles name items that the model does not have; it has {} items.",
         item_weights.rows);
  scores_.emplace(Interactions{profiles.offsets, profiles.items, item_weights.rows}, item_weights);
}

}  // namespace divns
