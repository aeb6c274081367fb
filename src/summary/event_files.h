// SPDX-License-Identifier: Apache-2.0
// TensorBoard event files, written by hand: a file is a sequence of records
//   u64 length, u32 masked CRC-32C of those 8 bytes, the bytes, u32 masked CRC-32C of the bytes,
// and each record is a protocol buffer Event {double wall_time = 1; int64 step = 2;
// string file_version = 3; Summary summary = 5} with Summary {repeated Value value = 1} and
// Value {string tag = 1; float simple_value = 2}.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "summary/summary.h"

namespace divns {

// CRC-32C (Castagnoli), rotated and shifted as the format asks.
uint32_t masked_crc32c(std::string_view bytes);
// A record that begins a file.
std::string event_file_header();
std::string event_record(double wall_time, int64_t step,
                         const std::vector<std::pair<std::string, double>>& scalars);

// One folder per run, <folder>/<row>/seed-<seed>. The wall time of an epoch is the number of
// seconds trained until then, so that the relative time axis shows training time.
void write_event_files(const std::filesystem::path& folder, const Summary& summary);

}  // namespace divns
