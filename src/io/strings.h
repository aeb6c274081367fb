// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divns/tensors.h"

namespace divns {

// A list of strings as two tensors: NAME, the bytes end to end, and NAME_offsets, where each
// begins.
struct PackedStrings {
  std::vector<uint8_t> bytes;
  std::vector<int64_t> offsets;

  static PackedStrings pack(uint32_t count, const std::function<std::string_view(uint32_t)>& get);
  void add_to(TensorWriter& file, const std::string& name) const;
};

// The same, read where it lies.
class PackedStringView {
 public:
  PackedStringView() = default;
  // Checks that the offsets ascend from 0 to the end of the bytes and that there are `count`
  // strings.
  PackedStringView(const TensorReader& file, const std::string& name, uint32_t count);

  std::string_view operator[](uint32_t i) const {
    return bytes_.substr(static_cast<size_t>(offsets_[i]),
                         static_cast<size_t>(offsets_[i + 1] - offsets_[i]));
  }

 private:
  std::string_view bytes_;
  std::span<const int64_t> offsets_;
};

}  // namespace divns
