// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/table.h"
#include "samplers/sampler.h"

namespace divns {

// Everything that chance decided in a run made elsewhere. A trainer that is given it makes the same
// run, step by step: the way to hold training to published figures digit by digit, where a run of
// one's own seed could only be near them.
struct GivenRun {
  // Writes the parameters that the run began with.
  std::function<void(Table& users, Table& items)> begin;
  // The pairs of an epoch in their order, as places in train.items; valid until the next call.
  std::function<std::span<const uint64_t>(uint32_t epoch)> order;
  GivenDraws draws;
};

}  // namespace divns
