// SPDX-License-Identifier: Apache-2.0
#include "data/layout.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/check.h"
#include "data/id_order.h"
#include "data/line_parser.h"
#include "data/records.h"
#include "divns/did_you_mean.h"

namespace divns {
namespace {

enum class HeaderRule { kMaybe, kAlways, kNever };

// All that tells one format from another. A new format with one pair per line is a new row.
struct FormatRow {
  FormatInfo info;
  std::string delimiter;  // empty: as the first line has it
  HeaderRule header = HeaderRule::kMaybe;
  Layout::Kind kind = Layout::Kind::kDelimited;
};

const std::vector<FormatRow>& format_table() {
  static const std::vector<FormatRow> table = {
      {{"auto", "recognised from the first lines and the name"}, ""},
      {{"csv", "commas; the header, if there is one, names the columns"}, ","},
      {{"tsv", "tabs; the header, if there is one, names the columns"}, "\t"},
      {{"uirt", "no header: user item [rating [time]], divided by tabs, commas or spaces"},
       "",
       HeaderRule::kNever},
      {{"inter",
        "RecBole's atomic files: a header such as user_id:token item_id:token rating:float"},
       "\t",
       HeaderRule::kAlways},
      {{"adjacency", "LightGCN's and NGCF's splits: user item item ... on each line"},
       "",
       HeaderRule::kNever,
       Layout::Kind::kAdjacency},
      {{"ml-100k", "MovieLens u.data"}, "", HeaderRule::kNever},
      {{"ml-1m", "MovieLens ratings.dat, divided by ::"}, "::", HeaderRule::kNever},
      {{"ml-csv", "MovieLens ratings.csv"}, ",", HeaderRule::kAlways},
      {{"amazon-json", "Amazon reviews_*.json: reviewerID, asin, overall, unixReviewTime"},
       "",
       HeaderRule::kNever,
       Layout::Kind::kJsonLines},
      {{"amazon-csv", "Amazon ratings: user,item,rating,timestamp without a header"},
       ",",
       HeaderRule::kNever},
      {{"ncf", "NCF's .train.rating and .test.rating"}, "", HeaderRule::kNever},
      {{"yelp", "Yelp's yelp_academic_dataset_review.json"},
       "",
       HeaderRule::kNever,
       Layout::Kind::kJsonLines},
  };
  return table;
}

const FormatRow& find_format(std::string_view name) {
  const auto& table = format_table();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const FormatRow& row) { return row.info.name == name; });
  return found == table.end() ? table.front() : *found;
}

using Names = std::vector<std::string_view>;

// Lower case, without "_", "-", " " and RecBole's ":type".
std::string normalised(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, name.find(':')))
    if (std::string_view("_- \"'").find(c) == std::string_view::npos)
      plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return plain;
}

const Names& user_names() {
  static const Names names = {"user",       "userid",    "uid",      "u",        "reviewerid",
                              "customerid", "visitorid", "memberid", "accountid"};
  return names;
}
const Names& item_names() {
  static const Names names = {"item",    "itemid",     "iid",        "i",         "movieid",
                              "asin",    "parentasin", "sku",        "productid", "businessid",
                              "bookid",  "isbn",       "trackid",    "artistid",  "songid",
                              "videoid", "newsid",     "locationid", "gameid",    "pinid"};
  return names;
}
const Names& rating_names() {
  static const Names names = {"rating", "ratings", "stars", "overall", "score"};
  return names;
}
const Names& time_names() {
  static const Names names = {"timestamp", "time", "unixreviewtime", "unixtime",
                              "ts",        "date", "datetime"};
  return names;
}

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_time(std::string_view text) {
  int64_t seconds = 0;
  return is_number(text) || parse_date(text, seconds);
}

// Whole records without their line breaks, blank ones left out.
std::vector<std::string_view> head_records(std::string_view head, std::string_view delimiter) {
  std::vector<std::string_view> records;
  constexpr size_t kEnough = 200;
  while (!head.empty() && records.size() < kEnough) {
    const size_t length = record_length(head, delimiter);
    std::string_view record = head.substr(0, length);
    head.remove_prefix(length);
    if (record.ends_with('\n')) record.remove_suffix(1);
    if (record.ends_with('\r')) record.remove_suffix(1);
    if (record.find_first_not_of(" \t\r\n") != std::string_view::npos) records.push_back(record);
  }
  return records;
}

// Names a column by header name or by number counted from 1.
int find_column(const std::string& wanted, const std::vector<std::string>& header, size_t width,
                const char* what) {
  for (size_t i = 0; i < header.size(); ++i)
    if (header[i] == wanted || header[i].substr(0, header[i].find(':')) == wanted)
      return static_cast<int>(i);
  size_t number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error == std::errc() && end == wanted.data() + wanted.size() && number >= 1 &&
      number <= width)
    return static_cast<int>(number - 1);
  if (header.empty())
    fail("the {} column is given as '{}', but this file has no header; give a number from 1 to {}.",
         what, wanted, width);
  fail("there is no column '{}' for the {}.{} The columns are: {}.", wanted, what,
       did_you_mean(wanted, header), fmt::join(header, ", "));
}

int guess_column(const std::vector<std::string>& header, const Names& names) {
  // Names are in order of preference.
  for (const std::string_view name : names)
    for (size_t i = 0; i < header.size(); ++i)
      if (normalised(header[i]) == name) return static_cast<int>(i);
  return -1;
}

bool looks_like_header(const std::vector<std::string>& first,
                       const std::vector<std::string>& second) {
  if (guess_column(first, user_names()) >= 0 || guess_column(first, item_names()) >= 0) return true;
  const bool first_has_number =
      std::any_of(first.begin(), first.end(), [](const auto& f) { return is_number(f); });
  const bool second_has_number =
      std::any_of(second.begin(), second.end(), [](const auto& f) { return is_number(f); });
  return !first_has_number && second_has_number;
}

bool looks_like_adjacency(const std::vector<std::string_view>& lines,
                          const std::string& delimiter) {
  if (delimiter != " " && delimiter != "\t") return false;
  size_t shortest = SIZE_MAX;
  size_t longest = 0;
  for (const std::string_view line : lines) {
    const auto fields = split_record(line, delimiter);
    if (!std::all_of(fields.begin(), fields.end(), is_plain_decimal)) return false;
    shortest = std::min(shortest, fields.size());
    longest = std::max(longest, fields.size());
  }
  // Files with one pair per line have two to four fields on every line. With tabs, a shorter line
  // is more likely a mistake.
  return longest > 4 || (delimiter == " " && lines.size() > 1 && shortest != longest);
}

Layout json_layout(const LayoutRequest& request, std::string_view first_line) {
  Layout layout;
  layout.kind = Layout::Kind::kJsonLines;
  const auto choose = [&](const std::string& wanted, std::initializer_list<const char*> keys) {
    if (!wanted.empty()) return wanted;
    for (const char* key : keys)
      if (first_line.find('"' + std::string(key) + '"') != std::string_view::npos)
        return std::string(key);
    return std::string();
  };
  layout.user_key = choose(request.user_column, {"reviewerID", "user_id", "userId", "user"});
  layout.item_key = choose(request.item_column,
                           {"asin", "business_id", "item_id", "itemId", "item", "parent_asin"});
  layout.rating_key = choose(request.rating_column, {"overall", "stars", "rating"});
  layout.time_key = choose(request.time_column, {"unixReviewTime", "timestamp", "date", "time"});
  layout.format = layout.user_key == "reviewerID"    ? "amazon-json"
                  : layout.item_key == "business_id" ? "yelp"
                                                     : "json";
  if (layout.user_key.empty() || layout.item_key.empty())
    fail("the first JSON object has no key that names the {}; name it with --{}-column.",
         layout.user_key.empty() ? "user" : "item", layout.user_key.empty() ? "user" : "item");
  return layout;
}

// Rating and time of a file without header: the third and fourth column, if they look like it all
// along.
void guess_numeric_columns(Layout& layout, const std::vector<std::string_view>& lines,
                           size_t width) {
  const auto all = [&](size_t column, bool (*test)(std::string_view)) {
    return width > column && std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
             const auto fields = split_record(line, layout.delimiter);
             return fields.size() <= column || test(fields[column]);
           });
  };
  if (all(2, is_number)) layout.rating = 2;
  if (layout.rating == 2 && all(3, is_time)) layout.time = 3;
}

Layout delimited_layout(const LayoutRequest& request, const std::vector<std::string_view>& lines,
                        Layout layout) {
  std::vector<std::string> first = split_record(lines[0], layout.delimiter);
  const auto second =
      lines.size() > 1 ? split_record(lines[1], layout.delimiter) : std::vector<std::string>();
  const HeaderRule header_rule = find_format(request.format).header;
  layout.header = header_rule == HeaderRule::kAlways ||
                  (header_rule == HeaderRule::kMaybe && looks_like_header(first, second));
  if (first.size() < 2)
    fail(
        "the first line has one field only; at least a user and an item, divided by {}, are "
        "expected.",
        describe_delimiter(layout.delimiter));
  if (!layout.header) {
    first.resize(std::max(first.size(), second.size()));
    guess_numeric_columns(layout, lines, first.size());
  }
  const std::vector<std::string> header = layout.header ? first : std::vector<std::string>();
  const auto place = [&](const std::string& wanted, const Names& names, const char* what,
                         int& column) {
    if (!wanted.empty())
      column = find_column(wanted, header, first.size(), what);
    else if (layout.header)
      column = guess_column(header, names);
  };
  place(request.user_column, user_names(), "user", layout.user);
  place(request.item_column, item_names(), "item", layout.item);
  place(request.rating_column, rating_names(), "rating", layout.rating);
  place(request.time_column, time_names(), "time", layout.time);
  if (layout.user < 0 || layout.item < 0)
    fail(
        "no column of the header looks like the {}; name it with --{}-column. The columns are: {}.",
        layout.user < 0 ? "user" : "item", layout.user < 0 ? "user" : "item",
        fmt::join(header, ", "));
  if (layout.user == layout.item)
    fail("user and item are both column {}; name two different columns.", layout.user + 1);
  return layout;
}

}  // namespace

std::vector<FormatInfo> known_formats() {
  std::vector<FormatInfo> formats;
  for (const FormatRow& row : format_table()) formats.push_back(row.info);
  return formats;
}

std::string delimiter_from_words(std::string_view words) {
  if (words == "tab" || words == "\\t") return "\t";
  if (words == "comma") return ",";
  if (words == "space") return " ";
  if (words.size() == 1 || (words.size() == 2 && words[0] == words[1])) return std::string(words);
  fail(
      "the delimiter is '{}', but tab, comma, space, one character or a doubled one such as :: is "
      "expected.",
      words);
}

std::string describe_delimiter(std::string_view delimiter) {
  if (delimiter == "\t") return "tabs";
  if (delimiter == ",") return "commas";
  if (delimiter == " ") return "spaces";
  return fmt::format("'{}'", delimiter);
}

Layout find_layout(const LayoutRequest& request, std::string_view file_name,
                   std::string_view head) {
  const std::string& format = request.format;
  const FormatRow& row = find_format(format);
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) fail("the file is empty; at least one pair is expected.");
  if (row.kind == Layout::Kind::kJsonLines || (format == "auto" && head[first] == '{')) {
    const std::string_view line = head.substr(first);
    return json_layout(request, line.substr(0, line.find('\n')));
  }

  Layout layout;
  layout.format = format;
  layout.delimiter = !request.delimiter.empty() ? delimiter_from_words(request.delimiter)
                     : !row.delimiter.empty()   ? row.delimiter
                                                : guess_delimiter(head.substr(first));
  const auto lines = head_records(head, layout.delimiter);
  const bool pairs_are_certain = !request.user_column.empty() || !request.item_column.empty() ||
                                 file_name.find(".inter") != std::string_view::npos;
  if (row.kind == Layout::Kind::kAdjacency ||
      (format == "auto" && !pairs_are_certain && looks_like_adjacency(lines, layout.delimiter))) {
    layout.kind = Layout::Kind::kAdjacency;
    layout.format = "adjacency";
    return layout;
  }
  layout = delimited_layout(request, lines, layout);
  if (format == "auto")
    layout.format = layout.delimiter == "::"  ? "ml-1m"
                    : !layout.header          ? "uirt"
                    : layout.delimiter == "," ? "csv"
                                              : "tsv";
  if (layout.header && lines.size() == 1)
    fail("the file holds a header and nothing else; at least one pair is expected.");
  return layout;
}

}  // namespace divns
