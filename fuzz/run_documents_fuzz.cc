// SPDX-License-Identifier: Apache-2.0
// The documents of a run and of a study as hostile bytes: the first byte chooses the reader.
#include <string_view>

#include "base/json.h"
#include "divns/error.h"
#include "memory_file.h"
#include "run/run_events.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  try {
    if (data[0] % 2 == 0) {
      divns::mean_negatives(divns::parse_run_events(
          std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1)));
      return 0;
    }
    const auto json = divns::parse_json_if_valid(
        std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1));
    if (!json.is_object()) return 0;
    divns::json_count(json, "epochs", 0, "fuzz");
    divns::json_number(json, "valid_recall@20", 0, "fuzz");
    divns::json_string(json, "dataset_hash", "", "fuzz");
    divns::sealed_json_text(json);
  } catch (const divns::Error&) {
  }
  return 0;
}
