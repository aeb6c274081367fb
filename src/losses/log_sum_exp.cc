// SPDX-License-Identifier: Apache-2.0
#include "losses/log_sum_exp.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace divns {

LogSum log_sum_exp(LossRow& row, double temperature, bool with_positive) {
  const double scale = 1 / temperature;
  const auto count = static_cast<double>(row.negative_scores.size());
  const auto exponent = [&](size_t k) {
    const double x = double{row.negative_scores[k]} * scale;
    return row.importance.empty() ? x : x + std::log(count * double{row.importance[k]});
  };
  const double positive = double{row.positive_score} * scale;
  // Terms are relative to the largest one, so that none overflows and the sum is at least 1.
  double top = with_positive ? positive : -std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < row.negative_scores.size(); ++k) top = std::max(top, exponent(k));
  LogSum result;
  double sum = with_positive ? std::exp(positive - top) : 0;
  result.positive_share = sum;
  for (size_t k = 0; k < row.negative_scores.size(); ++k) {
    const double term = std::exp(exponent(k) - top);
    sum += term;
    row.negative_slopes[k] = static_cast<float>(term);
  }
  result.value = top + std::log(sum);
  result.positive_share /= sum;
  const auto inverse_sum = static_cast<float>(1 / sum);
  for (float& share : row.negative_slopes) share *= inverse_sum;
  return result;
}

}  // namespace divns
