// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/layout.h"
#include "data/pair_block.h"

namespace divns {

// A line that cannot be read: the number of the line in the block (from 1) and the rest of the
// sentence.
struct LineError {
  uint64_t line;
  std::string sentence;
};

// Each parses a block of whole lines and returns the number of its lines; throws LineError.
uint64_t parse_delimited(const Layout& layout, std::string_view block, bool first_block,
                         PairBlock& pairs);
uint64_t parse_adjacency(const Layout& layout, std::string_view block, PairBlock& pairs);
uint64_t parse_json_lines(const Layout& layout, std::string_view block, PairBlock& pairs);
uint64_t parse_block(const Layout& layout, std::string_view block, bool first_block,
                     PairBlock& pairs);

inline constexpr std::string_view kNotUtf8 =
    "this line is not valid UTF-8; if the file is Latin-1 or UTF-16, say so with --encoding "
    "latin-1 "
    "or --encoding utf-16, otherwise convert it first, for example with iconv.";

// For the parsers: all throw LineError.
void require_utf8(std::string_view text, uint64_t lines_before = 0);
double parse_rating(std::string_view text, uint64_t line);
int64_t parse_time(std::string_view text, uint64_t line);
// Seconds since 1970 of "2018-07-07", "2018-07-07 22:09:11" or the same with a T; false if it is no
// such date.
bool parse_date(std::string_view text, int64_t& seconds);

}  // namespace divns
