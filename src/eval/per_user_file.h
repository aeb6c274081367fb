// SPDX-License-Identifier: Apache-2.0
// Per-user values of an evaluation, for paired significance tests: one float per user and column. A
// safetensors file, version 1:
//   users          U32 [n], ascending: the evaluated users of the dataset
//   recall@20, ..  F32 [n], one tensor per column
//   __metadata__   format "divns-per-user", version "1", columns (their order, comma-separated),
//                  dataset_hash, part ("valid" or "test"), mask ("train" or "train+valid"),
//                  content_hash (of the tensors above, to detect damage)
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "divns/evaluate.h"

namespace divns {

class TensorReader;

struct PerUserFile {
  PerUserMetrics metrics;
  std::string dataset_hash;
  std::string part;
  std::string mask;
};

inline constexpr std::string_view kPerUserFormat = "divns-per-user";

void write_per_user_file(const std::filesystem::path& path, const PerUserFile& file);

// Throws Error for a damaged file or a file of another format.
PerUserFile read_per_user_file(const std::filesystem::path& path);
PerUserFile read_per_user_file(const TensorReader& tensors);

}  // namespace divns
