// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/table.h"
#include "train/config.h"

namespace divns {

// Fills the parameters from the truncated singular value decomposition of the normalised matrix
// D_u^-1/2 R D_i^-1/2 ~ X S Y^T: users X S^1/2, items Y S^1/2, each table scaled so that the root
// mean square of its entries is config.init_std. Rows without training pairs, and columns beyond
// the rank, are normal deviates. By subspace iteration from a random start (Halko, Martinsson and
// Tropp 2011); the same bits for any number of threads.
void spectral_start(const Interactions& train, const TrainConfig& config, Table& users,
                    Table& items, const Executor& executor);

}  // namespace divns
