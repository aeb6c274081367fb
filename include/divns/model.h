// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "divns/interactions.h"
#include "divns/scores.h"
#include "divns/vectors.h"

namespace divns {

// A trained model: one safetensors file with the final vectors, the original ids and titles, the
// resolved configuration and the hash of the data. The file is memory-mapped, and everything in it
// is checked before use. A model that ranks by item-item weights (ease) has a matrix, items x
// items, and the training items of the users in place of vectors.
//
//   const auto model = divns::TrainedModel::load("run/model.safetensors");
//   const auto user = model.find_user("alice");
//   if (user) rank_items(model.user_vectors().row(*user), model.item_vectors());
class TrainedModel {
 public:
  // Takes the model file, or the folder of the run that holds it.
  static TrainedModel load(const std::filesystem::path& path);
  // The same from the bytes of a model file, which are copied.
  static TrainedModel from_bytes(std::span<const std::byte> bytes);
  // Writes the model file.
  void save(const std::filesystem::path& path) const;
  std::span<const std::byte> bytes() const;
  ~TrainedModel();
  TrainedModel(TrainedModel&&) noexcept;
  TrainedModel& operator=(TrainedModel&&) noexcept;

  uint32_t users() const;
  uint32_t items() const;
  // What ranks the items for the users; valid as long as the model lives.
  Scorer scorer() const;
  // Floats per item: of a vector, or of a row of item-item weights.
  uint32_t columns() const;

  // False for a model that ranks by item-item weights.
  bool has_vectors() const;
  // Final vectors: pooled over the hops, and of unit length where the model was trained so. The
  // score of an item for a user is the inner product of their rows. Throw Error for a model without
  // vectors.
  VectorTable user_vectors() const;
  VectorTable item_vectors() const;
  // The parameters that training moved: the vectors themselves, or those of hop 0 for a graph model
  // and those of any length for a model that scores by cosine.
  VectorTable user_parameters() const;
  VectorTable item_parameters() const;
  // Whether the file has parameters beside the vectors.
  bool has_parameters() const;

  // B (ItemWeightScores) and the training items of the users. Both are empty for a model with
  // vectors.
  VectorTable item_weights() const;
  Interactions histories() const;

  // Original ids. The views stay valid as long as the model lives.
  std::string_view user_id(uint32_t user) const;
  std::string_view item_id(uint32_t item) const;
  // The title, or empty.
  std::string_view item_name(uint32_t item) const;
  std::optional<uint32_t> find_user(std::string_view id) const;
  std::optional<uint32_t> find_item(std::string_view id) const;

  const std::string& model_name() const;
  const std::string& sampler_name() const;
  uint64_t seed() const;
  // Hash of the vectors, ids and titles (32 hexadecimal digits).
  const std::string& content_hash() const;
  // Content hash of the dataset it was trained on; equals Dataset::hash() of that dataset.
  const std::string& dataset_hash() const;
  // The resolved options as a TOML document.
  const std::string& config() const;

 private:
  struct Contents;
  explicit TrainedModel(std::unique_ptr<Contents> contents);
  static TrainedModel opened(std::unique_ptr<Contents> contents);
  void require_vectors() const;
  std::unique_ptr<Contents> contents_;
};

}  // namespace divns
