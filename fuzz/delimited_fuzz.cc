// SPDX-License-Identifier: Apache-2.0
// Every format with one pair per line; the first byte selects it.
#include "parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char* const formats[] = {"auto", "csv", "tsv", "uirt", "inter", "ml-1m"};
  if (size == 0) return 0;
  divns::LayoutRequest request;
  request.format = formats[data[0] % std::size(formats)];
  divns::fuzz::parse(request, data + 1, size - 1);
  return 0;
}
