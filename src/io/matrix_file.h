// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "io/npy.h"

namespace divns {

// A table of numbers: .npy (known by its first bytes), or text with one row a line, numbers parted
// by commas, semicolons, tabs or spaces. A first line that is not numbers is taken for column
// names.
NpyArray<float> read_matrix(const std::filesystem::path& path);

}  // namespace divns
