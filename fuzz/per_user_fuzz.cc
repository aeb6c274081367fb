// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a file of per-user metrics: they are read or rejected.
#include <cstddef>
#include <cstdint>
#include <span>

#include "divns/error.h"
#include "divns/tensors.h"
#include "eval/per_user_file.h"

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
