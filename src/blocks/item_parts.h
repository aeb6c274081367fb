// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace divns {

// The items of an epoch divided at random into parts whose sizes never change. Within a part,
// items are in ascending order.
class ItemParts {
 public:
  struct Place {
    uint32_t part;
    uint32_t row;  // in the part
  };

  ItemParts(uint32_t items, uint32_t parts, uint64_t seed, uint32_t epoch);

  Place place(uint32_t item) const { return places_[item]; }
  std::span<const uint32_t> items_of(uint32_t part) const {
    return std::span(items_).subspan(starts_[part], rows(part));
  }
  uint32_t parts() const { return static_cast<uint32_t>(starts_.size() - 1); }
  uint32_t rows(uint32_t part) const { return starts_[part + 1] - starts_[part]; }

 private:
  std::vector<Place> places_;    // of each item
  std::vector<uint32_t> items_;  // by part
  std::vector<uint32_t> starts_;
};

}  // namespace divns
