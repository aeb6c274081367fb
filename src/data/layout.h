// SPDX-License-Identifier: Apache-2.0
// How a text file of interactions is to be read, and how to find that out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "divns/prepare.h"

namespace divns {

// What was found out. Columns count from 0; -1 means that there is none.
struct Layout {
  enum class Kind { kDelimited, kAdjacency, kJsonLines, kMemory };
  Kind kind = Kind::kDelimited;
  std::string format;            // for the recipe
  std::string delimiter = "\t";  // one or two characters
  bool header = false;
  int user = 0;
  int item = 1;
  int rating = -1;
  int time = -1;
  // Keys of a JSON object per line.
  std::string user_key, item_key, rating_key, time_key;
};

// The formats that --format names, for help and docs.
struct FormatInfo {
  std::string name;
  std::string help;
};
std::vector<FormatInfo> known_formats();

// Decides from the name of the file and the whole lines that begin it. Throws Error (without file
// name) when the request cannot be met: an unknown column gets the nearest name of the header.
Layout find_layout(const LayoutRequest& request, std::string_view file_name, std::string_view head);

// A delimiter as people type it ("tab", "\t", "comma", "space", "::").
std::string delimiter_from_words(std::string_view words);
std::string describe_delimiter(std::string_view delimiter);

}  // namespace divns
