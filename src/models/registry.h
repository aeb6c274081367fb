// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "models/fitted_model.h"
#include "models/model.h"

namespace divns {

struct ModelEntry {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view citation;  // where the method was published
  std::unique_ptr<Model> (*make)();
};

// A baseline that is fitted without sampled negatives.
struct FittedModelEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view citation;
  bool has_vectors;  // false: item-item weights, items x items
  bool uses_seed;    // false: every seed gives the same model
  std::unique_ptr<FittedModel> (*make)();
};

std::span<const ModelEntry> models();
std::span<const FittedModelEntry> fitted_models();

// Throws Error for a name that is in neither list, with the nearest known name.
const ModelEntry& find_model(std::string_view name);
// Null if there is no such model.
const FittedModelEntry* find_fitted_model(std::string_view name);

}  // namespace divns
