// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace divns {

// The colour-blind safe palette of Okabe and Ito, with a brown and a grey added, so that each of
// the ten samplers has its own.
inline constexpr std::array<const char*, 10> kPalette = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                         "#56b4e9", "#d55e00", "#000000", "#f0e442",
                                                         "#7f4f24", "#999999"};

}  // namespace divns
