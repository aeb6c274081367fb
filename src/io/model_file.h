// SPDX-License-Identifier: Apache-2.0
// Writes the file that TrainedModel::load reads. Layout, version 1, all in one safetensors file:
//   user_vectors  F32 [users, dim]      item_vectors  F32 [items, dim]
//   user_ids      U8  the ids end to end, with user_id_offsets I64 [users + 1]; item_ids,
//   item_names likewise (item_names has empty strings where there are no titles)
//   __metadata__  format "divns-model", version "1", divns_version, model, sampler, seed,
//                 dataset_hash, config (TOML), content_hash (of the tensors above, against damage)
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "divns/vectors.h"

namespace divns {

struct ModelFile {
  VectorTable user_vectors;
  VectorTable item_vectors;
  // Asked once for each row.
  std::function<std::string_view(uint32_t)> user_id;
  std::function<std::string_view(uint32_t)> item_id;
  std::function<std::string_view(uint32_t)> item_name;
  std::string model;
  std::string sampler;
  uint64_t seed = 0;
  std::string dataset_hash;
  std::string config;
};

inline constexpr std::string_view kModelFileName = "model.safetensors";

void write_model_file(const std::filesystem::path& path, const ModelFile& model);

}  // namespace divns
