// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "divns/model.h"

namespace divns::testing {

// The model file of a model, to compare models bit by bit.
inline std::string model_bytes(const TrainedModel& model) {
  const auto bytes = model.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace divns::testing
