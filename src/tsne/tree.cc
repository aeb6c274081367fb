// SPDX-License-Identifier: Apache-2.0
#include "tsne/tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace divns {
namespace {

// Bits b3 b2 b1 b0 to 0 b3 0 b2 0 b1 0 b0.
uint64_t spread_bits(uint64_t bits) {
  bits = (bits | bits << 16) & 0x0000FFFF0000FFFFU;
  bits = (bits | bits << 8) & 0x00FF00FF00FF00FFU;
  bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0FU;
  bits = (bits | bits << 2) & 0x3333333333333333U;
  return (bits | bits << 1) & 0x5555555555555555U;
}

void add_point(PlanePoint from, PlanePoint other, double count, TsneTree::Repulsion& sum) {
  const double dx = from.x - other.x, dy = from.y - other.y;
  const double w = 1 / (1 + dx * dx + dy * dy);
  sum.mass += count * w;
  sum.force.x += count * w * w * dx;
  sum.force.y += count * w * w * dy;
}

}  // namespace

TsneTree::TsneTree(const std::vector<PlanePoint>& points) {
  if (points.empty()) return;
  sort(points);
  nodes_.reserve(points.size());
  add_node(0, static_cast<uint32_t>(points.size()), 0);
}

void TsneTree::sort(const std::vector<PlanePoint>& points) {
  PlanePoint low = points[0], high = points[0];
  for (const PlanePoint& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  // Not zero if all points are equal, and large enough for its inverse and its square.
  constexpr double kSmallestWidth = 1e-100;
  width_ = std::max({high.x - low.x, high.y - low.y, kSmallestWidth});
  const double scale = std::ldexp(1.0, kBits) / width_;
  const auto cell = [&](double offset) {
    return spread_bits(std::min(static_cast<uint64_t>(offset * scale), (uint64_t{1} << kBits) - 1));
  };
  std::vector<std::pair<uint64_t, uint32_t>> keys(points.size());
  for (uint32_t i = 0; i < keys.size(); ++i)
    keys[i] = {cell(points[i].x - low.x) | cell(points[i].y - low.y) << 1, i};
  std::sort(keys.begin(), keys.end());
  for (const auto& [code, point] : keys) {
    codes_.push_back(code);
    order_.push_back(point);
    sorted_.push_back(points[point]);
  }
}

void TsneTree::add_node(uint32_t begin, uint32_t end, int level) {
  const size_t at = nodes_.size();
  const double width = std::ldexp(width_, -level);
  nodes_.push_back({.centre = {},
                    .squared_width = width * width,
                    .begin = begin,
                    .end = end,
                    .next = 0,
                    .leaf = end - begin <= kLeafPoints || level == kBits});
  PlanePoint sum;
  for (uint32_t i = begin; i < end; ++i) sum = {sum.x + sorted_[i].x, sum.y + sorted_[i].y};
  nodes_[at].centre = {sum.x / (end - begin), sum.y / (end - begin)};
  if (!nodes_[at].leaf) {
    // Two bits of the code select the quadrant.
    const int shift = 2 * (kBits - 1 - level);
    for (uint32_t first = begin; first < end;) {
      const uint64_t quarter = codes_[first] >> shift;
      const auto last =
          std::partition_point(codes_.begin() + first, codes_.begin() + end,
                               [&](uint64_t code) { return code >> shift == quarter; });
      const auto past = static_cast<uint32_t>(last - codes_.begin());
      add_node(first, past, level + 1);
      first = past;
    }
  }
  nodes_[at].next = static_cast<uint32_t>(nodes_.size());
}

TsneTree::Repulsion TsneTree::repulsion(uint32_t place, double theta) const {
  const PlanePoint from = sorted_[place];
  const double squared_theta = theta * theta;
  Repulsion sum;
  for (size_t at = 0; at < nodes_.size();) {
    const Node& node = nodes_[at];
    const bool holds_it = node.begin <= place && place < node.end;
    const double dx = from.x - node.centre.x, dy = from.y - node.centre.y;
    if (!holds_it && node.squared_width < squared_theta * (dx * dx + dy * dy)) {
      add_point(from, node.centre, node.end - node.begin, sum);
    } else if (node.leaf) {
      for (uint32_t i = node.begin; i < node.end; ++i)
        if (i != place) add_point(from, sorted_[i], 1, sum);
    } else {
      ++at;
      continue;
    }
    at = node.next;
  }
  return sum;
}

}  // namespace divns
