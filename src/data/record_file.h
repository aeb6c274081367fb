// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_source.h"

namespace divns {

// How a small delimited file with an id in its first column is read, and what to say about it.
struct RecordFormat {
  std::string_view expected;  // what is on a line, for messages: "an id and a title"
  bool allow_spaces = false;  // fields may be separated by spaces
  Encoding encoding = Encoding::kAuto;
};

// Calls take(line, fields) for each record that is not blank. The delimiter is determined from the
// first one. Lines are counted from 1; a record with quoted line breaks has the number of its last
// line.
using TakeRecord = std::function<void(uint64_t line, const std::vector<std::string>& fields)>;
void read_records(const std::string& path, const RecordFormat& format, const TakeRecord& take);

// Throws Error if the record has fewer fields.
void require_fields(const std::string& path, uint64_t line, size_t found, size_t least);

}  // namespace divns
