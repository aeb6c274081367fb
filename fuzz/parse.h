// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/line_parser.h"
#include "data/text_source.h"
#include "divns/error.h"

namespace divns::fuzz {

// Finds the layout of a text and parses it as one block, as the reader would.
inline void parse(const LayoutRequest& request, const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  if (text.empty() || text.back() != '\n') text += '\n';
  const size_t length = text.size();
  text.append(TextBlock::kPadding, '\0');
  const std::string_view block(text.data(), length);
  PairBlock pairs({}, true);
  try {
    parse_block(find_layout(request, "fuzz", block), block, true, pairs);
  } catch (const Error&) {
  } catch (const LineError&) {
  }
}

}  // namespace divns::fuzz
