// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace divns {

struct PlanePoint {
  double x = 0;
  double y = 0;
  bool operator==(const PlanePoint&) const = default;
};

// The Barnes-Hut quadtree over points in the plane. Points are sorted along a Z-order curve, so a
// cell is a range of them. Nodes are stored in depth-first order, each with the index of the next
// node if its subtree is skipped. The tree depends only on the points.
class TsneTree {
 public:
  explicit TsneTree(const std::vector<PlanePoint>& points);

  // Sums over all other points j, with w = 1 / (1 + |y - y_j|^2).
  struct Repulsion {
    PlanePoint force;  // sum w^2 (y - y_j)
    double mass = 0;   // sum w
  };
  // Sums for the point at this position of the order below.
  Repulsion repulsion(uint32_t place, double theta) const;

  uint32_t point_at(uint32_t place) const { return order_[place]; }

 private:
  // A cell with at most this many points is not divided further.
  static constexpr uint32_t kLeafPoints = 4;
  // Bits per coordinate; cells are not smaller than 2^-26 of the whole.
  static constexpr int kBits = 26;

  struct Node {
    PlanePoint centre;  // mean of its points
    double squared_width = 0;
    uint32_t begin = 0;  // positions of its points
    uint32_t end = 0;
    uint32_t next = 0;  // the next node if this one is not opened
    bool leaf = false;
  };

  void sort(const std::vector<PlanePoint>& points);
  void add_node(uint32_t begin, uint32_t end, int level);

  double width_ = 0;
  std::vector<uint64_t> codes_;  // by position
  std::vector<uint32_t> order_;
  std::vector<PlanePoint> sorted_;
  std::vector<Node> nodes_;
};

}  // namespace divns
