// SPDX-License-Identifier: Apache-2.0
// A table of results, rendered for a terminal, Markdown, LaTeX and CSV.
//
//   ReportTable table("Recommendation quality", {{"sampler"}, {"Recall@20", "beauty"}});
//   table.add({"dns", Figure{.value = 0.0703, .sd = 0.0004}});
//   table.add({"divns", Figure{.value = 0.0758, .sd = 0.0006}});
//   table.mark_best(1);
//   write_table(folder, "utility", table);  // utility.md, utility.tex, utility.csv
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace divns {

enum class Mark { kNone, kBest, kSecond };

// A number as shown; CSV contains all of its digits.
struct Figure {
  double value = 0;
  std::optional<double> sd = {};  // standard deviation, shown as value ± sd
  int digits = 4;                 // after the decimal point
  std::string unit = {};          // written after the number, as in "4.1 %"
  std::string words = {};         // shown instead of the digits, as in "<1e-16"
  Mark mark = Mark::kNone;
  bool star = false;     // significant
  std::string tip = {};  // more about the number, shown on hover where there is a pointer
};

// Empty, a text, or a number.
struct Cell : std::variant<std::monostate, std::string, Figure> {
  using variant::variant;
  Cell(const char* text) : variant(std::string(text)) {}  // NOLINT(google-explicit-constructor)

  bool empty() const { return index() == 0; }
  const std::string* text() const { return std::get_if<std::string>(this); }
  const Figure* figure() const { return std::get_if<Figure>(this); }
  Figure* figure() { return std::get_if<Figure>(this); }
};

struct Column {
  std::string name;
  std::string group = {};  // adjacent columns of a group share a heading

  std::string full_name() const { return group.empty() ? name : group + " " + name; }
};

class ReportTable {
 public:
  ReportTable(std::string title, std::vector<Column> columns);

  void add(std::vector<Cell> row);
  // Adds a line below the rows so far.
  void add_rule();
  // Adds a sentence below the table.
  void add_note(std::string sentence);

  enum class Better { kHigher, kLower };
  // Marks the best and the second-best figure of a column within rows [first, last). Equal figures
  // get the same mark; if two share the best, there is no second. Nothing is marked with fewer than
  // two figures.
  void mark_best(size_t column, Better better = Better::kHigher);
  void mark_best(size_t column, size_t first, size_t last, Better better = Better::kHigher);

  const std::string& title() const { return title_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }
  const std::vector<std::string>& notes() const { return notes_; }
  bool has_rule_before(size_t row) const;
  bool is_numeric(size_t column) const;
  bool has_marks(size_t column) const;
  bool has_stars(size_t column) const;
  bool has_spread(size_t column) const;

 private:
  std::string title_;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<size_t> rules_;
  std::vector<std::string> notes_;
};

// A figure as people read it: "0.0758 ± 0.0006".
std::string to_text(const Figure& figure);
// Best "*", second best "+", significant "'". A table wider than `columns` is stacked: its text
// columns are repeated in front of as many of the others as fit.
std::string to_text(const ReportTable& table, size_t columns = 120);
// Best bold, second best underlined.
std::string to_markdown(const ReportTable& table);
// A booktabs table environment; `label` as in \label{tab:label}.
std::string to_latex(const ReportTable& table, std::string_view label);
// RFC 4180. Numbers are written with the fewest digits that read back to the same bits. A column
// with standard deviations is followed by "<name> sd".
std::string to_csv(const ReportTable& table);

// name.md, name.tex and name.csv.
void write_table(const std::filesystem::path& folder, const std::string& name,
                 const ReportTable& table);

}  // namespace divns
