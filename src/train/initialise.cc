// SPDX-License-Identifier: Apache-2.0
#include "train/initialise.h"

#include <cmath>

#include "base/random.h"

namespace divns {

void initialise(Table& table, const TrainConfig& config, std::string_view purpose,
                const Executor& executor) {
  const Random random(config.seed, purpose);
  const double bound = std::sqrt(6.0 / (static_cast<double>(table.rows()) + table.dim()));
  executor.for_chunks(table.rows(), 256, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      Draws draws = random.draws(static_cast<uint32_t>(i));
      for (uint32_t k = 0; k < table.dim(); ++k)
        table.row(i)[k] = static_cast<float>(config.init == Initialisation::kXavier
                                                 ? bound * (2 * draws.uniform() - 1)
                                                 : config.init_std * draws.normal());
    }
  });
}

}  // namespace divns
