// SPDX-License-Identifier: Apache-2.0
// Names in a model file, and the hash that it carries, for its writer and its reader.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/hash.h"
#include "divns/tensors.h"

namespace divns {

inline constexpr std::string_view kModelFormat = "divns-model";
// Of a file with vectors, and of one with item-item weights.
inline constexpr std::string_view kVectorsVersion = "1";
inline constexpr std::string_view kWeightsVersion = "2";
inline constexpr std::string_view kNameTensors[] = {"user_ids",   "user_ids_offsets",
                                                    "item_ids",   "item_ids_offsets",
                                                    "item_names", "item_names_offsets"};
inline constexpr std::string_view kVectorTensors[] = {"user_vectors", "item_vectors"};
inline constexpr std::string_view kWeightTensors[] = {"item_weights", "histories",
                                                      "histories_offsets"};
inline constexpr std::string_view kParameterTensors[] = {"user_parameters", "item_parameters"};

// The hash of the hashes of tensors.
class HashOfParts {
 public:
  void add(std::span<const std::byte> bytes) { text_ += hash128_hex(bytes); }
  template <class T>
  void add_values(const std::vector<T>& values) {
    add(std::as_bytes(std::span(values)));
  }
  void add_tensors(const TensorReader& file, std::span<const std::string_view> names) {
    for (const std::string_view name : names) {
      const auto found = file.tensors().find(name);
      if (found == file.tensors().end())
        fail("{} is damaged: it lacks the tensor '{}'.", file.file_name(), name);
      add(found->second.bytes);
    }
  }
  std::string hex() const { return hash128_hex(text_); }

 private:
  std::string text_;
};

}  // namespace divns
