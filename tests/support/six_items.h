// SPDX-License-Identifier: Apache-2.0
// Three users and six items in the plane, small enough to check results by hand.
#pragma once

#include "base/table.h"
#include "support/interactions.h"

namespace divns::testing {

struct SixItems {
  OwnedInteractions train{{{0, 1}, {2}, {3, 5}}, 6};
  Table users{3, 2};
  Table items{6, 2};

  SixItems() {
    constexpr float kUsers[3][2] = {{1, .5F}, {-.5F, 1}, {.2F, -.8F}};
    constexpr float kItems[6][2] = {{.9F, .1F},  {.4F, .8F},   {-.6F, .7F},
                                    {.3F, -.5F}, {1.2F, -.4F}, {-.2F, -.9F}};
    for (uint32_t u = 0; u < 3; ++u) std::copy_n(kUsers[u], 2, users.row(u));
    for (uint32_t i = 0; i < 6; ++i) std::copy_n(kItems[i], 2, items.row(i));
  }
};

}  // namespace divns::testing
