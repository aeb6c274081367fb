// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "divns/dpp.h"
#include "divns/random.h"
#include "divns/sampler.h"
#include "divns/table.h"
#include "samplers/divns/settings.h"

namespace divns {

// Module two of DivNS: chooses diverse items from the ground sets of many users.
class DiverseChoice {
 public:
  DiverseChoice(const DivnsOptions& options, const SamplerContext& context);

  // Set s belongs to user first_user + s. The output is that of DppSelector::select.
  void choose(const VectorTable& items, DppSets sets, uint32_t epoch, uint32_t first_user,
              std::span<uint32_t> chosen, std::span<uint32_t> counts);

 private:
  void choose_uniform(const DppSets& sets, uint32_t epoch, uint32_t first_user,
                      std::span<uint32_t> chosen, std::span<uint32_t> counts);
  void choose_opposite(const VectorTable& items, const DppSets& sets, std::span<uint32_t> chosen,
                       std::span<uint32_t> counts);
  // Calls body(worker, candidates, against, room) for each set, where `room` is its part of
  // `chosen`. body returns the number of items written.
  template <class Body>
  void for_each_set(const DppSets& sets, std::span<uint32_t> chosen, std::span<uint32_t> counts,
                    Body&& body);

  struct Worker {
    std::vector<uint32_t> items;
    std::vector<uint32_t> against;
    std::vector<float> cosines;
    std::vector<std::pair<float, uint32_t>> ranked;
  };

  DiverseRule rule_;
  const Executor& executor_;
  Random draws_of_user_;
  Random seeds_;
  DppSelector selector_;
  std::vector<uint64_t> starts_;
  std::vector<Worker> workers_;
  Table unit_items_;
};

}  // namespace divns
