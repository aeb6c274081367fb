// SPDX-License-Identifier: Apache-2.0
// Three users and six items in the plane, small enough to check results by hand.
#pragma once

#include "divns/table.h"
#include "support/interactions.h"
#include "support/worked_example.h"

namespace divns::testing {

struct SixItems {
  OwnedInteractions train{{{0, 1}, {2}, {3, 5}}, 6};
  Table users{3, 2};
  Table items{6, 2};

  SixItems() {
    for (uint32_t u = 0; u < 3; ++u) std::copy_n(kExampleUsers[u], 2, users.row(u));
    for (uint32_t i = 0; i < 6; ++i) std::copy_n(kExampleItems[i], 2, items.row(i));
  }
};

}  // namespace divns::testing
