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

#include "divns/vectors.h"

namespace divns {

// A trained model: one safetensors file with the final vectors, the original ids and titles, the
// resolved configuration and the hash of the data. The file is memory-mapped, and everything in it
// is checked before use.
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
  // Final vectors: pooled over the hops, and of unit length where the model was trained so. The
  // score of an item for a user is the inner product of their rows.
  VectorTable user_vectors() const;
  VectorTable item_vectors() const;

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
  // Content hash of the dataset it was trained on; equals Dataset::hash() of that dataset.
  const std::string& dataset_hash() const;
  // The resolved options as a TOML document.
  const std::string& config() const;

 private:
  struct Contents;
  explicit TrainedModel(std::unique_ptr<Contents> contents);
  static TrainedModel opened(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents_;
};

}  // namespace divns
