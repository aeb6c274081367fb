// SPDX-License-Identifier: Apache-2.0
#include "divns/dpp_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "report/palette.h"

namespace divns::app {
namespace {

constexpr double kSide = 360, kGap = 24, kTitle = 34, kMargin = 14;

std::string star(double x, double y, double radius) {
  std::string corners;
  for (int i = 0; i < 10; ++i) {
    const double r = i % 2 == 0 ? radius : radius * 0.42;
    const double angle = std::numbers::pi * (0.2 * i - 0.5);
    fmt::format_to(std::back_inserter(corners), "{:.1f},{:.1f} ", x + r * std::cos(angle),
                   y + r * std::sin(angle));
  }
  corners.pop_back();
  return corners;
}

// Maps points into a square, with one scale for both axes.
class Square {
 public:
  explicit Square(const std::vector<Point>& points) {
    double low_x = std::numeric_limits<double>::infinity(), low_y = low_x;
    double high_x = -low_x, high_y = -low_x;
    for (const Point& p : points) {
      low_x = std::min(low_x, p.x);
      low_y = std::min(low_y, p.y);
      high_x = std::max(high_x, p.x);
      high_y = std::max(high_y, p.y);
    }
    const double extent = std::max({high_x - low_x, high_y - low_y, 1e-30});
    scale_ = (kSide - 2 * kMargin) / extent;
    centre_x_ = (low_x + high_x) / 2;
    centre_y_ = (low_y + high_y) / 2;
  }
  double x(const Point& p) const { return kSide / 2 + (p.x - centre_x_) * scale_; }
  double y(const Point& p) const { return kSide / 2 - (p.y - centre_y_) * scale_; }

 private:
  double scale_ = 1, centre_x_ = 0, centre_y_ = 0;
};

}  // namespace

std::string draw_dpp_panels(const std::vector<Point>& points, const std::vector<DppPanel>& panels) {
  const auto count = static_cast<double>(panels.size());
  const double width = count * kSide + (count + 1) * kGap, height = kSide + kTitle + kGap;
  const Square square(points);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height);
  auto out = std::back_inserter(svg);
  double left = kGap;
  for (const DppPanel& panel : panels) {
    fmt::format_to(
        out,
        "<g transform=\"translate({:.0f} {:.0f})\">\n"
        "<text x=\"{:.0f}\" y=\"-12\" font-size=\"15\" text-anchor=\"middle\">{}</text>\n"
        "<rect width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#999\"/>\n",
        left, kTitle, kSide / 2, panel.title, kSide, kSide);
    for (const Point& p : points)
      fmt::format_to(out,
                     "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\" "
                     "fill-opacity=\"0.45\"/>\n",
                     square.x(p), square.y(p),
                     kPalette[static_cast<size_t>(p.group) % kPalette.size()]);
    for (const uint32_t i : panel.chosen)
      fmt::format_to(out,
                     "<polygon points=\"{}\" fill=\"#111\" stroke=\"white\" "
                     "stroke-width=\"0.8\"/>\n",
                     star(square.x(points[i]), square.y(points[i]), 9));
    svg += "</g>\n";
    left += kSide + kGap;
  }
  return svg + "</svg>\n";
}

}  // namespace divns::app
