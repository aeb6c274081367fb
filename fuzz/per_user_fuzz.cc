// SPDX-License-Identifier: Apache-2.0
// Any bytes at all given as a file of per-user metrics: it is read or refused, nothing else.
#include <cstddef>
#include <cstdint>
#include <span>

#include "divns/error.h"
#include "eval/per_user_file.h"
#include "io/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const divns::TensorReader reader(std::as_bytes(std::span(data, size)), "fuzz");
    const divns::PerUserFile file = divns::read_per_user_file(reader);
    for (size_t c = 0; c < file.metrics.columns.size(); ++c)
      if (file.metrics.column(c).size() != file.metrics.users.size()) __builtin_trap();
  } catch (const divns::Error&) {
  }
  return 0;
}
