// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace divns {

// A file of configs/paper at build time.
struct PaperFile {
  std::string_view name;  // without ".json"
  std::string_view text;
};

std::span<const PaperFile> paper_files();

}  // namespace divns
