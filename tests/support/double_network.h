// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "divns/sampler.h"
#include "divns/table.h"
#include "support/double_model.h"

namespace divns::testing {

// Small enough for finite differences.
inline constexpr uint32_t kNetworkDim = 5;
inline constexpr uint32_t kNetworkInner = 3;
inline constexpr uint32_t kNetworkHidden = 6;

// The network as the authors lay it out, in float64, from the parameter blocks.
struct DoubleNetwork {
  struct Layer {
    Matrix weight;
    Vector bias;
    Vector operator()(const Vector& x) const {
      Vector y = bias;
      for (size_t i = 0; i < y.size(); ++i) y[i] += dot(weight[i], x);
      return y;
    }
  };
  std::vector<Layer> layers;  // in the order of parameters()

  // Sizes of the layers' inputs and outputs, which the padded blocks do not tell.
  DoubleNetwork(const std::vector<SamplerParameters>& blocks, uint32_t d, uint32_t inner,
                uint32_t hidden) {
    const uint32_t t = 4 * d;
    const std::pair<uint32_t, uint32_t> shapes[] = {
        {d, t},      {t, t},           {d, inner},       {inner, hidden},
        {t, hidden}, {hidden, hidden}, {hidden, hidden}, {2 * hidden, hidden},
        {t, hidden}, {hidden, inner},  {inner, d}};
    for (size_t l = 0; l < std::size(shapes); ++l) {
      const auto [in, out] = shapes[l];
      Layer layer;
      for (uint32_t i = 0; i < out; ++i) {
        const auto row = blocks[2 * l].values.begin() + i * padded(in);
        layer.weight.emplace_back(row, row + in);
      }
      layer.bias.assign(blocks[2 * l + 1].values.begin(), blocks[2 * l + 1].values.begin() + out);
      layers.push_back(layer);
    }
  }
  static Vector tanh_of(Vector x) {
    for (double& v : x) v = std::tanh(v);
    return x;
  }
  static Vector sum(Vector a, const Vector& b) {
    for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }
  Vector operator()(const Vector& x, double sigma) const {
    const size_t d = x.size();
    const size_t half = d / 2;
    Vector features(d, 0);
    for (size_t k = 0; k < half; ++k) {
      const double angle =
          sigma * std::pow(1e4, -static_cast<double>(k) / static_cast<double>(half - 1));
      features[k] = std::sin(angle);
      features[half + k] = std::cos(angle);
    }
    const Vector tau = layers[1](tanh_of(layers[0](features)));
    const Vector encoded = sum(tanh_of(layers[3](layers[2](x))), layers[4](tau));
    Vector skip = layers[5](encoded);
    const Vector bottom = layers[6](skip);
    skip.insert(skip.end(), bottom.begin(), bottom.end());
    return layers[10](layers[9](sum(tanh_of(layers[7](skip)), layers[8](tau))));
  }
};

}  // namespace divns::testing
