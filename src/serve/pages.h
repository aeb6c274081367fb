// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace divns {

// A file of src/serve/page, which travels inside the library.
struct Page {
  std::string_view path;
  std::string_view type;
  std::string_view text;
};

const Page& find_page(std::string_view path);

}  // namespace divns
