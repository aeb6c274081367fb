// SPDX-License-Identifier: Apache-2.0
#include "train/initialise.h"

#include <algorithm>
#include <cmath>

#include "divns/random.h"
#include "train/spectral_start.h"

namespace divns {

void initialise(Table& table, const TrainConfig& config, std::string_view purpose,
                const Executor& executor) {
  initialise_part(table, {}, table.rows(), config, purpose, executor);
}

void initialise_part(Table& part, std::span<const uint32_t> numbers, uint32_t rows,
                     const TrainConfig& config, std::string_view purpose,
                     const Executor& executor) {
  const Random random(config.seed, purpose);
  const double bound = std::sqrt(6.0 / (static_cast<double>(rows) + part.dim()));
  executor.for_chunks(part.rows(), 256, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      Draws draws = random.draws(numbers.empty() ? static_cast<uint32_t>(i) : numbers[i]);
      for (uint32_t k = 0; k < part.dim(); ++k)
        part.row(i)[k] = static_cast<float>(config.init == Initialisation::kXavier
                                                ? bound * (2 * draws.uniform() - 1)
                                                : config.init_std * draws.normal());
    }
  });
}

namespace {

void copy_rows(const VectorTable& from, std::span<const uint32_t> rows, Table& to) {
  for (uint32_t i = 0; i < to.rows(); ++i)
    if (rows[i] != InitialRows::kNone) std::copy_n(from.row(rows[i]), from.dim, to.row(i));
}

}  // namespace

void initialise(Model& model, const Interactions& train, const TrainConfig& config,
                const Replay* replay, const InitialRows* initial, const Executor& executor) {
  if (replay != nullptr) {
    replay->initial_parameters(model.user_parameters(), model.item_parameters());
  } else if (config.init == Initialisation::kSvd && initial == nullptr) {
    spectral_start(train, config, model.user_parameters(), model.item_parameters(), executor);
  } else {
    initialise(model.user_parameters(), config, "init.users", executor);
    initialise(model.item_parameters(), config, "init.items", executor);
  }
  if (initial != nullptr) {
    copy_rows(initial->users, initial->user_rows, model.user_parameters());
    copy_rows(initial->items, initial->item_rows, model.item_parameters());
  }
  model.parameters_written();
}

}  // namespace divns
