// SPDX-License-Identifier: Apache-2.0
#include "divns/error.h"
#include "memory_file.h"
#include "synth/truth.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const divns::fuzz::MemoryFile file(data, size);
  try {
    const divns::SynthTruth truth = divns::read_synth_truth(file.path());
    if (truth.users() > 0 && truth.items() > 0)
      truth.preference(truth.users() - 1, truth.items() - 1);
  } catch (const divns::Error&) {
  }
  return 0;
}
