// SPDX-License-Identifier: Apache-2.0
#include "blocks/item_parts.h"

#include <numeric>

#include "divns/random.h"

namespace divns {

ItemParts::ItemParts(uint32_t items, uint32_t parts, uint64_t seed, uint32_t epoch)
    : places_(items), items_(items), starts_(parts + 1) {
  std::iota(items_.begin(), items_.end(), 0U);
  Draws draws = Random(seed, "item parts").draws(epoch);
  shuffle(draws, std::span(items_));
  for (uint32_t part = 0; part <= parts; ++part)
    starts_[part] = static_cast<uint32_t>(uint64_t{items} * part / parts);
  for (uint32_t part = 0; part < parts; ++part)
    for (const uint32_t item : items_of(part)) places_[item].part = part;
  std::vector<uint32_t> next(parts, 0);
  for (uint32_t item = 0; item < items; ++item) {
    Place& place = places_[item];
    place.row = next[place.part]++;
    items_[starts_[place.part] + place.row] = item;
  }
}

}  // namespace divns
