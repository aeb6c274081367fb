// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/dataset.h"

namespace divns::testing {

// A synthetic dataset that a training passes in milliseconds.
inline const Dataset& small_dataset() {
  static const Dataset data = [] {
    SynthOptions options;
    options.users = 120;
    options.items = 90;
    options.pairs = 2400;
    return Dataset::synthetic(options);
  }();
  return data;
}

}  // namespace divns::testing
