// SPDX-License-Identifier: Apache-2.0
// csv, tsv, "user item rating time" and every other text with one pair per line.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/check.h"
#include "data/line_parser.h"
#include "data/plain_pairs.h"
#include "data/records.h"
#include "data/text_source.h"

namespace divns {
namespace {

static_assert(TextBlock::kPadding >= PlainPairs::kReadAhead);

// A cursor over the fields of a block. Fields are scanned once: the digits of a plain number are
// added up on the way.
class Fields {
 public:
  Fields(const Layout& layout, std::string_view block)
      : delimiter_(layout.delimiter[0]),
        second_(layout.delimiter.size() > 1 ? layout.delimiter[1] : '\0'),
        spaces_(layout.delimiter == " "),
        at_(block.data()),
        end_(block.data() + block.size()),
        breaks_in_quotes_(has_quoted_breaks(layout.delimiter) &&
                          block.find('"') != std::string_view::npos) {}

  bool more_lines() const { return at_ < end_; }
  bool line_done() const { return line_done_; }
  uint64_t line() const { return line_; }

  void start_line() {
    ++line_;
    line_done_ = false;
    if (spaces_) skip_spaces();
  }

  // Skips what is left of the line. Quoted fields may hold line breaks.
  void finish_line() {
    while (breaks_in_quotes_ && !line_done_) skip_field();
    if (line_done_) return;
    at_ = static_cast<const char*>(std::memchr(at_, '\n', static_cast<size_t>(end_ - at_))) + 1;
    line_done_ = true;
  }

  bool at_blank_line() const { return *at_ == '\n' || (*at_ == '\r' && at_[1] == '\n'); }

  std::string_view rest() const { return {at_, static_cast<size_t>(end_ - at_)}; }
  void skip_lines(size_t bytes, size_t lines) {
    at_ += bytes;
    line_ += lines;
  }

  IdToken next() {
    if (*at_ == '"') return quoted();
    const char* begin = at_;
    const uint32_t number = read_digits(at_);
    if (at_ends_field()) {
      const IdToken token{{begin, static_cast<size_t>(at_ - begin)}, number, is_plain(begin, at_)};
      leave_field();
      return token;
    }
    while (!at_ends_field()) ++at_;
    std::string_view text(begin, static_cast<size_t>(at_ - begin));
    leave_field();
    const size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    text = text.substr(first, text.find_last_not_of(' ') - first + 1);
    return make_id_token(text);
  }

 private:
  // Whether the digits from `start` to `end` are a number as IdToken means it.
  static bool is_plain(const char* start, const char* end) {
    const auto length = end - start;
    return length > 0 && length <= 9 && (*start != '0' || length == 1);
  }

  // Adds up the digits at `at` and moves behind them. Eight bytes at a time: blocks are padded, so
  // reading ahead is safe, and the bytes behind the last digit are shifted out.
  static uint32_t read_digits(const char*& at) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    constexpr uint64_t kOnes = 0x0101010101010101;
    const uint64_t digits = bytes - kOnes * '0';
    // The high bit of the first byte that is no digit is set; what lies beyond it does not matter.
    const uint64_t strangers = ((bytes + kOnes * (0x7f - '9')) | digits) & (kOnes * 0x80);
    if (strangers == 0) return read_many_digits(at);
    const int bits = std::countr_zero(strangers) & ~7;
    if (bits == 0) return 0;
    at += bits / 8;
    uint64_t value = digits << (64 - bits);
    value = (value * 10 + (value >> 8)) & 0x00ff00ff00ff00ff;
    value = (value * 100 + (value >> 16)) & 0x0000ffff0000ffff;
    return static_cast<uint32_t>(value * 10000 + (value >> 32));
  }

  static uint32_t read_many_digits(const char*& at) {
    uint32_t number = 0;
    while (static_cast<uint8_t>(*at - '0') < 10)
      number = number * 10 + static_cast<uint8_t>(*at++ - '0');
    return number;
  }

  bool at_ends_field() const {
    const char c = *at_;
    if (c == delimiter_) return second_ == '\0' || at_[1] == second_;
    return c == '\n' || (c == '\r' && at_[1] == '\n') || (spaces_ && c == '\t');
  }

  void leave_field() {
    if (*at_ == '\r') ++at_;
    if (*at_ == '\n') {
      ++at_;
      line_done_ = true;
      return;
    }
    at_ += second_ == '\0' ? 1 : 2;
    if (!spaces_) return;
    skip_spaces();
    if (at_blank_line()) skip_line_break();  // spaces at the end of a line are no further field
  }

  void skip_line_break() {
    at_ += *at_ == '\r' ? 2 : 1;
    line_done_ = true;
  }

  void skip_spaces() {
    while (*at_ == ' ' || *at_ == '\t') ++at_;
  }

  // For a field that nobody reads: what follows its closing quote does not matter.
  void skip_field() {
    if (*at_ == '"') {
      const uint64_t opened = line_;
      for (++at_; *at_ != '"' || at_[1] == '"'; ++at_) {
        pass_break_in_quotes(opened);
        if (*at_ == '"') ++at_;
      }
      ++at_;
    }
    while (!at_ends_field()) ++at_;
    leave_field();
  }

  void pass_break_in_quotes(uint64_t opened) {
    if (*at_ != '\n') return;
    if (!breaks_in_quotes_)
      throw LineError{opened,
                      "a quote is opened but not closed on this line; close it, or double it."};
    if (at_ + 1 == end_)
      throw LineError{opened,
                      "a quote is opened on this line but never closed; close it, or double it."};
    ++line_;
  }

  IdToken quoted() {
    unquoted_[slot_].clear();
    std::string& text = unquoted_[slot_];
    slot_ = (slot_ + 1) % unquoted_.size();
    const uint64_t opened = line_;
    for (++at_; *at_ != '"' || at_[1] == '"'; ++at_) {
      pass_break_in_quotes(opened);
      if (*at_ == '"') ++at_;
      text += *at_;
    }
    ++at_;
    if (!at_ends_field())
      throw LineError{line_, "text follows a closing quote; double the quotes inside a field."};
    leave_field();
    return make_id_token(text);
  }

  char delimiter_;
  char second_;
  bool spaces_;
  const char* at_;
  const char* end_;
  bool breaks_in_quotes_;
  uint64_t line_ = 0;
  bool line_done_ = true;
  std::array<std::string, 4> unquoted_;  // user, item, rating and time may all be quoted
  size_t slot_ = 0;
};

}  // namespace

uint64_t parse_delimited(const Layout& layout, std::string_view block, bool first_block,
                         PairBlock& pairs) {
  const int last = std::max({layout.user, layout.item, layout.rating, layout.time});
  Fields fields(layout, block);
  bool is_utf8 = false;  // plain pairs are, so it is asked where the first other line is
  if (first_block && layout.header) {
    require_utf8(block);
    is_utf8 = true;
    fields.start_line();
    fields.finish_line();
  }
  const bool only_ids =
      layout.user == 0 && layout.item == 1 && last == 1 && layout.delimiter.size() == 1;
  PlainPairs plain(layout.delimiter[0]);
  const char* try_plain_from = block.data();
  while (fields.more_lines()) {
    const std::string_view rest = fields.rest();
    if (only_ids && rest.data() >= try_plain_from) {
      if (const size_t bytes = plain.read(rest); bytes > 0) {
        pairs.add_numbers(plain.users(), plain.items());
        fields.skip_lines(bytes, plain.users().size());
        continue;
      }
      // One by one to the end of what was looked at, so that nothing is looked at again and again.
      try_plain_from = rest.data() + std::min(rest.size(), PlainPairs::kBytes);
    }
    if (!is_utf8) {
      require_utf8(rest, fields.line());
      is_utf8 = true;
    }
    fields.start_line();
    if (fields.at_blank_line()) {
      fields.next();
      continue;
    }
    IdToken user;
    IdToken item;
    double rating = 1;
    int64_t time = 0;
    for (int column = 0; column <= last; ++column) {
      if (fields.line_done())
        throw LineError{
            fields.line(),
            fmt::format("this line has {} of at least {} fields; the fields are expected to be "
                        "divided by {}.",
                        column, last + 1, describe_delimiter(layout.delimiter))};
      const IdToken field = fields.next();
      if (column == layout.user) user = field;
      if (column == layout.item) item = field;
      if (column == layout.rating) rating = parse_rating(field.text, fields.line());
      if (column == layout.time) time = parse_time(field.text, fields.line());
    }
    if (user.text.empty())
      throw LineError{fields.line(), "the user id is empty; every pair needs one."};
    if (item.text.empty())
      throw LineError{fields.line(), "the item id is empty; every pair needs one."};
    pairs.add(user, item, rating, time);
    fields.finish_line();
  }
  return fields.line();
}

}  // namespace divns
