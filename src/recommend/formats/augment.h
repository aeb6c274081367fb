// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/table.h"
#include "divns/vectors.h"

namespace divns {

// The tables with the column of ExportOptions::augment.
Table augmented_items(const VectorTable& items);
Table augmented_users(const VectorTable& users);

// The same rows, padded as kernels need them.
Table padded_copy(const VectorTable& table);

}  // namespace divns
