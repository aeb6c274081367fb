// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "divns/vectors.h"

namespace divns {

// An ONNX model (operators of version 13) that makes exact lists:
//   inputs   user: int64 [n], rows of users; k: int64 [1], 10 unless given
//   outputs  items: int64 [n, k], rows of items, best first; scores: float [n, k]
// It is Gather, MatMul and TopK over the two tables. Nothing is left out of the lists.
void write_onnx(const std::filesystem::path& path, const VectorTable& users,
                const VectorTable& items);

}  // namespace divns
