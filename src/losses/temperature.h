// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "divns/options.h"

namespace divns {

// The divisor tau of the scores in a softmax loss. A softmax of cosines separates one item from N
// others only if the range of the logits, 2/tau, is well above ln N. So the default falls with the
// number of items: 1.1 / ln N is 0.104 for 40,000 items and 0.134 for 3,700.
// results/quickest.md has the measurements.
class Temperature {
 public:
  void declare(Options& options, const std::string& loss) {
    options
        .add(loss + ".temperature", given_,
             "divisor of the scores; 1.1 / ln(number of items) if unset")
        .range(0.001, 1000)
        .tune_log(0.05, 1);
  }

  void start(uint32_t item_count) {
    constexpr double kTimesLog = 1.1;
    value_ = given_.value_or(kTimesLog / std::max(1.0, std::log(static_cast<double>(item_count))));
  }

  double value() const { return value_; }

 private:
  std::optional<double> given_;
  double value_ = 0;
};

}  // namespace divns
