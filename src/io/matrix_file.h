// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "io/npy.h"

namespace divns {

// A matrix: .npy (recognised by its first bytes), or text with one row per line and numbers
// separated by commas, semicolons, tabs or spaces. A first line that is not numbers holds column
// names.
NpyArray<float> read_matrix(const std::filesystem::path& path);

}  // namespace divns
