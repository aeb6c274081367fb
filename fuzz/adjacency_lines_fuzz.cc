// SPDX-License-Identifier: Apache-2.0
#include "parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  divns::LayoutRequest request;
  request.format = "adjacency";
  divns::fuzz::parse(request, data, size);
  return 0;
}
