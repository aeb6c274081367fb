// SPDX-License-Identifier: Apache-2.0
// The reader must reject or accept any bytes, and an accepted file must be readable to its last
// byte.
#include <cstddef>
#include <cstdint>
#include <span>

#include "divns/error.h"
#include "divns/tensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const divns::TensorReader reader(std::as_bytes(std::span(data, size)), "input");
    unsigned sum = 0;
    for (const auto& [name, tensor] : reader.tensors())
      for (const std::byte b : tensor.bytes) sum += std::to_integer<unsigned>(b);
    volatile unsigned sink = sum;
    static_cast<void>(sink);
  } catch (const divns::Error&) {
  }
  return 0;
}
