// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "models/model.h"

namespace divns {

struct ModelEntry {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view citation;  // where it comes from
  std::unique_ptr<Model> (*make)();
};

std::span<const ModelEntry> models();

// Throws Error for an unknown name, with the nearest known one.
const ModelEntry& find_model(std::string_view name);

}  // namespace divns
