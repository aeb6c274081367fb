// SPDX-License-Identifier: Apache-2.0
// Writes the file that TrainedModel::load reads. Layout, version 1, all in one safetensors file:
//   user_vectors  F32 [users, dim]      item_vectors  F32 [items, dim]
//   user_ids      U8  the ids end to end, with user_id_offsets I64 [users + 1]; item_ids,
//   item_names likewise (item_names has empty strings where there are no titles)
//   user_parameters, item_parameters    as the vectors; only where they differ from them
//   __metadata__  format "divns-model", version "1", divns_version, model, sampler, seed,
//                 dataset_hash, config (TOML), content_hash (of the vectors, ids and titles,
//                 against damage), parameters_hash (of the parameters, where there are any)
// Version 2 is of models that rank by item-item weights. In place of vectors it has
//   item_weights  F32 [items, items]
//   histories     I32 the training items of the users, with histories_offsets I64 [users + 1]
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "divns/interactions.h"
#include "divns/vectors.h"

namespace divns {

// What ranks the items.
struct ModelContents {
  VectorTable user_vectors = {};
  VectorTable item_vectors = {};
  // Empty where the vectors are the parameters.
  VectorTable user_parameters = {};
  VectorTable item_parameters = {};
  // In place of all tables: item-item weights, items x items, and the training items of the users.
  std::span<const float> item_weights = {};
  Interactions histories = {};

  bool has_vectors() const { return histories.offsets.empty(); }
};

struct ModelFile {
  ModelContents contents;
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
