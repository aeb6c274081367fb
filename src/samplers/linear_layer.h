// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "divns/random.h"
#include "divns/sampler.h"
#include "divns/table.h"
#include "kernels/gemm.h"
#include "kernels/vectors.h"

namespace divns {

inline MatrixView matrix(const Table& table) {
  return {table.data(), table.rows(), table.dim(), table.stride(), 1};
}

// y = W x + b, a layer of the networks of samplers.
struct LinearLayer {
  Table weight;  // out x in
  Table bias;    // 1 x out
  Table weight_gradient;
  Table bias_gradient;

  LinearLayer() = default;
  LinearLayer(uint32_t in, uint32_t out)
      : weight(out, in), bias(1, out), weight_gradient(out, in), bias_gradient(1, out) {}

  uint32_t in() const { return weight.dim(); }
  uint32_t out() const { return weight.rows(); }

  // Every weight uniform in (-weight_bound, weight_bound), every bias in its own range.
  void initialise(Draws draws, double weight_bound, double bias_bound) {
    const auto fill = [&](Table& table, double bound) {
      for (uint32_t i = 0; i < table.rows(); ++i)
        for (uint32_t k = 0; k < table.dim(); ++k)
          table.row(i)[k] = static_cast<float>(bound * (2 * draws.uniform() - 1));
    };
    fill(weight, weight_bound);
    fill(bias, bias_bound);
  }
  // The default of PyTorch: 1 / sqrt(in) for both.
  void initialise(Draws draws) {
    const double bound = 1 / std::sqrt(static_cast<double>(in()));
    initialise(draws, bound, bound);
  }

  // y (+)= W x for `rows` rows, without the bias.
  void apply(size_t rows, const float* x, size_t x_step, float* y, size_t y_step,
             bool add = false) const {
    gemm({x, rows, in(), x_step}, matrix(weight).transposed(), y, y_step, add);
  }
  // dx (+)= W^T dy for `rows` rows.
  void apply_transposed(size_t rows, const float* dy, size_t dy_step, float* dx, size_t dx_step,
                        bool add = false) const {
    gemm({dy, rows, out(), dy_step}, matrix(weight), dx, dx_step, add);
  }

  // Rows [begin, end) of dW (+)= slopes^T inputs, over all rows of both; db as well if begin is 0.
  // Sums are in the order of the rows, so workers may compute different rows of dW.
  void weight_gradient_rows(const Table& slopes, const Table& inputs, size_t begin, size_t end,
                            bool add = false) {
    gemm(matrix(slopes).transposed().part(begin, end - begin, 0, slopes.rows()), matrix(inputs),
         weight_gradient.row(begin), weight_gradient.stride(), add);
    if (begin > 0) return;
    if (!add) std::fill_n(bias_gradient.data(), bias_gradient.size(), 0.0F);
    for (size_t r = 0; r < slopes.rows(); ++r)
      axpy(1, slopes.row(r), bias_gradient.data(), bias_gradient.stride());
  }

  void list_parameters(const std::string& name, double learning_rate,
                       std::vector<SamplerParameters>& out_list) {
    out_list.push_back({name + ".weight",
                        {weight.data(), weight.size()},
                        {weight_gradient.data(), weight_gradient.size()},
                        learning_rate});
    out_list.push_back({name + ".bias",
                        {bias.data(), bias.size()},
                        {bias_gradient.data(), bias_gradient.size()},
                        learning_rate});
  }
};

}  // namespace divns
