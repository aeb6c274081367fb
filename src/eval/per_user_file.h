// SPDX-License-Identifier: Apache-2.0
// Per-user values of an evaluation, kept for paired significance tests: one float a user and
// column. A safetensors file, version 1:
//   users          U32 [n], ascending: which users of the dataset were evaluated
//   recall@20, ..  F32 [n], a tensor for each column
//   __metadata__   format "divns-per-user", version "1", columns (their order, comma-separated),
//                  dataset_hash, part ("valid" or "test"), mask ("train" or "train+valid"),
//                  content_hash (of the tensors above, against damage)
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "eval/evaluate.h"

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

// A damaged or foreign file is an Error.
PerUserFile read_per_user_file(const std::filesystem::path& path);
PerUserFile read_per_user_file(const TensorReader& tensors);

}  // namespace divns
