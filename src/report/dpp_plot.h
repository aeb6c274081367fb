// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace divns {

struct PanelPoint {
  double x = 0;
  double y = 0;
  int group = 0;  // drawn in one colour
};

struct DppPanel {
  std::string title;
  std::vector<uint32_t> chosen;  // drawn as stars
};

// Two-dimensional points, once for each panel, side by side: Figure 1 of the DivNS paper as SVG.
std::string draw_dpp_panels(const std::vector<PanelPoint>& points,
                            const std::vector<DppPanel>& panels);

}  // namespace divns
