// SPDX-License-Identifier: Apache-2.0
// The three users and six items of the worked examples, in the plane: small enough to check by
// hand.
#pragma once

#include "divns/vectors.h"

namespace divns::testing {

inline constexpr float kExampleUsers[3][2] = {{1, .5F}, {-.5F, 1}, {.2F, -.8F}};
inline constexpr float kExampleItems[6][2] = {{.9F, .1F},  {.4F, .8F},   {-.6F, .7F},
                                              {.3F, -.5F}, {1.2F, -.4F}, {-.2F, -.9F}};
inline const VectorTable kExampleUserTable{kExampleUsers[0], 3, 2, 2};
inline const VectorTable kExampleItemTable{kExampleItems[0], 6, 2, 2};

}  // namespace divns::testing
