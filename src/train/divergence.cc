// SPDX-License-Identifier: Apache-2.0
#include "train/divergence.h"

#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "base/check.h"

namespace divns {
namespace {

// Without an early exit, so that the compiler vectorises the loop.
bool all_finite(std::span<const float> values) {
  bool finite = true;
  for (const float value : values) finite &= std::abs(value) <= std::numeric_limits<float>::max();
  return finite;
}

// The option that most likely made training diverge, with its value. With SGD, l2 alone scales a
// parameter by about 1 - learning_rate * l2 per step.
std::string likely_cause(const TrainConfig& config) {
  const double rate = config.optimizer.learning_rate;
  const double l2 = config.objective.l2;
  if (config.init == Initialisation::kNormal && config.init_std > 10)
    return fmt::format("init_std is {}", config.init_std);
  if (l2 > 1 && rate * l2 > 1) return fmt::format("l2 is {}", l2);
  return fmt::format("learning_rate is {}", rate);
}

}  // namespace

void fail_diverged(std::string_view what, const TrainConfig& config) {
  fail("{} not finite: training has diverged. The likely cause: {}; try a smaller value.", what,
       likely_cause(config));
}

void require_finite_parameters(const Model& model, const TrainConfig& config, uint32_t epoch) {
  const auto finite = [](const Table& table) {
    return all_finite(std::span(table.data(), table.size()));
  };
  if (!finite(model.user_parameters()) || !finite(model.item_parameters()))
    fail_diverged(fmt::format("the parameters after epoch {} are", epoch), config);
}

}  // namespace divns
