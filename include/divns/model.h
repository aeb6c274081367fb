// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "divns/vectors.h"

namespace divns {

// A trained model as `divns train` writes it: one safetensors file with the final vectors, the
// owner's ids and names, the resolved configuration and the hash of the data. The file is mapped,
// not copied, and checked as hostile input.
//
//   const auto model = divns::TrainedModel::load("run/model.safetensors");
//   const auto user = model.find_user("alice");
//   if (user) rank_items(model.user_vectors().row(*user), model.item_vectors());
class TrainedModel {
 public:
  // Takes the file itself or the folder of the run that holds it.
  static TrainedModel load(const std::filesystem::path& path);
  ~TrainedModel();
  TrainedModel(TrainedModel&&) noexcept;
  TrainedModel& operator=(TrainedModel&&) noexcept;

  uint32_t users() const;
  uint32_t items() const;
  // Final vectors: pooled over the hops, and of unit length where the model was trained so. The
  // score of an item for a user is the inner product of their rows.
  VectorTable user_vectors() const;
  VectorTable item_vectors() const;

  // The owner's own names; views stay good as long as the model lives.
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
  std::unique_ptr<Contents> contents_;
};

}  // namespace divns
