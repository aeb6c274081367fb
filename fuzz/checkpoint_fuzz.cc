// SPDX-License-Identifier: Apache-2.0
// Any bytes as a checkpoint: it is read or refused, nothing else.
#include <cstddef>
#include <cstdint>
#include <span>

#include "divns/error.h"
#include "run/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const divns::CheckpointFile file(
        divns::TensorReader(std::as_bytes(std::span(data, size)), "fuzz"));
    file.require_same_run({1, "", ""});
  } catch (const divns::Error&) {
  }
  return 0;
}
