// SPDX-License-Identifier: Apache-2.0
#include "report/dpp_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "base/files.h"
#include "divns/dpp.h"
#include "divns/random.h"
#include "linalg/symmetric_eigen.h"
#include "report/palette.h"

namespace divns {
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
  explicit Square(const std::vector<PanelPoint>& points) {
    double low_x = std::numeric_limits<double>::infinity(), low_y = low_x;
    double high_x = -low_x, high_y = -low_x;
    for (const PanelPoint& p : points) {
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
  double x(const PanelPoint& p) const { return kSide / 2 + (p.x - centre_x_) * scale_; }
  double y(const PanelPoint& p) const { return kSide / 2 - (p.y - centre_y_) * scale_; }

 private:
  double scale_ = 1, centre_x_ = 0, centre_y_ = 0;
};

}  // namespace

std::string draw_dpp_panels(const std::vector<PanelPoint>& points,
                            const std::vector<DppPanel>& panels) {
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
    for (const PanelPoint& p : points)
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

namespace {

// The first two principal components of the rows; rows of one or two columns are used unchanged.
std::vector<PanelPoint> to_plane(const VectorTable& table) {
  const size_t d = table.dim;
  std::vector<double> mean(d, 0.0), scatter(d * d, 0.0);
  std::vector<PanelPoint> points(table.rows);
  const auto value = [&](size_t i, size_t c) {
    return static_cast<double>(table.row(static_cast<uint32_t>(i))[c]);
  };
  if (d <= 2) {
    for (size_t i = 0; i < table.rows; ++i)
      points[i] = {value(i, 0), d == 2 ? value(i, 1) : 0.0, 0};
    return points;
  }
  for (size_t i = 0; i < table.rows; ++i)
    for (size_t c = 0; c < d; ++c) mean[c] += value(i, c) / static_cast<double>(table.rows);
  for (size_t i = 0; i < table.rows; ++i)
    for (size_t a = 0; a < d; ++a)
      for (size_t b = 0; b <= a; ++b)
        scatter[a * d + b] += (value(i, a) - mean[a]) * (value(i, b) - mean[b]);
  const SymmetricEigen eigen = symmetric_eigen(scatter.data(), d, d);
  for (size_t i = 0; i < table.rows; ++i)
    for (size_t c = 0; c < d; ++c) {
      points[i].x += (value(i, c) - mean[c]) * eigen.vectors[(d - 1) * d + c];
      points[i].y += (value(i, c) - mean[c]) * eigen.vectors[(d - 2) * d + c];
    }
  return points;
}

}  // namespace

void write_dpp_picture(const std::filesystem::path& path, const VectorTable& vectors,
                       std::span<const uint32_t> chosen, const DppPicture& picture) {
  std::vector<PanelPoint> points = to_plane(vectors);
  for (size_t i = 0; i < picture.groups.size(); ++i) points[i].group = picture.groups[i];
  std::vector<uint32_t> uniform(std::min(chosen.size(), points.size()));
  Draws draws = Random(picture.seed, "dpp.uniform").draws();
  sample_without_replacement(draws, static_cast<uint32_t>(points.size()), uniform);
  write_file_atomically(path,
                        draw_dpp_panels(points, {{"Uniform", uniform},
                                                 {picture.title, {chosen.begin(), chosen.end()}}}),
                        Target::kNamed);
}

}  // namespace divns
