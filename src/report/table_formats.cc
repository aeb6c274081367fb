// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/escape.h"
#include "report/table.h"
#include "report/text_table.h"

namespace divns {
namespace {

std::string rounded(double value, int digits) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const std::string text = fmt::format("{:.{}f}", value, digits);
  // "-0.00" says nothing that "0.00" does not.
  return text.find_first_not_of("-0.") == std::string::npos && text[0] == '-' ? text.substr(1)
                                                                              : text;
}

std::string with_unit(const Figure& figure, std::string_view plus_minus) {
  if (!figure.words.empty()) return figure.words;
  std::string text = rounded(figure.value, figure.digits);
  if (figure.sd) text += fmt::format("{}{}", plus_minus, rounded(*figure.sd, figure.digits));
  if (!figure.unit.empty()) text += " " + figure.unit;
  return text;
}

// What a column needs room for behind its figures.
struct MarkPlaces {
  bool star = false;
  bool mark = false;

  std::string behind(const Figure& figure) const {
    std::string text;
    if (star) text += figure.star ? '\'' : ' ';
    if (mark) text += figure.mark == Mark::kBest ? '*' : figure.mark == Mark::kSecond ? '+' : ' ';
    return text;
  }
};

std::string terminal_cell(const Cell& cell, MarkPlaces places) {
  if (cell.empty()) return "–" + places.behind({});
  if (const std::string* text = cell.text()) return *text;
  return with_unit(*cell.figure(), " ± ") + places.behind(*cell.figure());
}

std::string markdown_cell(const Cell& cell) {
  if (cell.empty()) return "–";
  if (const std::string* text = cell.text()) return escape_markdown(*text);
  const Figure& figure = *cell.figure();
  std::string shown = escape_markdown(with_unit(figure, " ± ")) + (figure.star ? "\\*" : "");
  if (figure.mark == Mark::kBest) return "**" + shown + "**";
  if (figure.mark == Mark::kSecond) return "<u>" + shown + "</u>";
  return shown;
}

std::string latex_cell(const Cell& cell) {
  if (cell.empty()) return "--";
  if (const std::string* text = cell.text()) return escape_latex(*text);
  const Figure& figure = *cell.figure();
  std::string shown = escape_latex(with_unit(figure, "±"));
  if (figure.mark == Mark::kBest) shown = "\\textbf{" + shown + "}";
  if (figure.mark == Mark::kSecond) shown = "\\underline{" + shown + "}";
  return shown + (figure.star ? "$^\\ast$" : "");
}

// The shortest decimal that reads back to the same bits; nothing for what is not a number.
std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

// The heading that spans neighbours of one group, and the lines below it.
struct LatexGroups {
  std::string headings, lines;
  bool any = false;
};

LatexGroups latex_groups(const std::vector<Column>& columns) {
  LatexGroups groups;
  for (size_t c = 0; c < columns.size();) {
    size_t end = c + 1;
    while (end < columns.size() && columns[end].group == columns[c].group) ++end;
    if (c > 0) groups.headings += " & ";
    const std::string name = escape_latex(columns[c].group);
    if (!name.empty()) {
      groups.any = true;
      groups.headings += fmt::format("\\multicolumn{{{}}}{{c}}{{{}}}", end - c, name);
      groups.lines += fmt::format("\\cmidrule(lr){{{}-{}}}", c + 1, end);
    } else {
      for (size_t i = c + 1; i < end; ++i) groups.headings += " & ";
    }
    c = end;
  }
  return groups;
}

}  // namespace

std::string to_text(const ReportTable& table) {
  const size_t columns = table.columns().size();
  std::vector<std::string> header, groups;
  std::vector<MarkPlaces> places;
  MarkPlaces any;
  for (size_t c = 0; c < columns; ++c) {
    places.push_back({table.has_stars(c), table.has_marks(c)});
    any = {any.star || places[c].star, any.mark || places[c].mark};
    header.push_back(table.columns()[c].name + places[c].behind({}));
    groups.push_back(table.columns()[c].group);
  }
  TextTable text(header);
  if (std::any_of(groups.begin(), groups.end(), [](const auto& name) { return !name.empty(); }))
    text.set_groups(groups);
  for (size_t c = 0; c < columns; ++c) text.align_left(c, !table.is_numeric(c));
  text.add_rule();
  for (size_t r = 0; r < table.rows().size(); ++r) {
    if (r > 0 && table.has_rule_before(r)) text.add_rule();
    std::vector<std::string> row;
    for (size_t c = 0; c < columns; ++c)
      row.push_back(terminal_cell(table.rows()[r][c], places[c]));
    text.add(std::move(row));
  }
  std::string out = table.title() + "\n" + text.text();
  if (any.mark) out += "* best, + second best\n";
  if (any.star) out += "' significant\n";
  for (const std::string& note : table.notes()) out += note + "\n";
  return out;
}

std::string to_markdown(const ReportTable& table) {
  std::string out = "**" + escape_markdown(table.title()) + "**\n\n|";
  for (const Column& column : table.columns())
    out += " " + escape_markdown(column.full_name()) + " |";
  out += "\n|";
  for (size_t c = 0; c < table.columns().size(); ++c) out += table.is_numeric(c) ? "---:|" : "---|";
  out += "\n";
  for (const auto& row : table.rows()) {
    out += "|";
    for (const Cell& cell : row) out += " " + markdown_cell(cell) + " |";
    out += "\n";
  }
  for (const std::string& note : table.notes()) out += "\n" + escape_markdown(note) + "\n";
  return out;
}

std::string to_latex(const ReportTable& table, std::string_view label) {
  std::string alignment;
  for (size_t c = 0; c < table.columns().size(); ++c) alignment += table.is_numeric(c) ? 'r' : 'l';
  std::string out = fmt::format(
      "% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  "
      "\\label{{tab:{}}}\n  \\begin{{tabular}}{{@{{}}{}@{{}}}}\n    \\toprule\n",
      escape_latex(table.title()), label, alignment);
  const LatexGroups groups = latex_groups(table.columns());
  if (groups.any) out += fmt::format("    {} \\\\\n    {}\n", groups.headings, groups.lines);
  out += "    ";
  for (size_t c = 0; c < table.columns().size(); ++c) {
    if (c > 0) out += " & ";
    out += escape_latex(table.columns()[c].name);
  }
  out += " \\\\\n    \\midrule\n";
  for (size_t r = 0; r < table.rows().size(); ++r) {
    if (r > 0 && table.has_rule_before(r)) out += "    \\midrule\n";
    out += "    ";
    for (size_t c = 0; c < table.rows()[r].size(); ++c) {
      if (c > 0) out += " & ";
      out += latex_cell(table.rows()[r][c]);
    }
    out += " \\\\\n";
  }
  out += "    \\bottomrule\n  \\end{tabular}\n";
  for (const std::string& note : table.notes())
    out += "  \\par\\smallskip{\\footnotesize " + escape_latex(note) + "}\n";
  return out + "\\end{table}\n";
}

std::string to_csv(const ReportTable& table) {
  std::string out;
  for (size_t c = 0; c < table.columns().size(); ++c) {
    const std::string name = table.columns()[c].full_name();
    if (c > 0) out += ',';
    out += escape_csv(name);
    if (table.has_spread(c)) out += "," + escape_csv(name + " sd");
  }
  out += "\r\n";
  for (const auto& row : table.rows()) {
    for (size_t c = 0; c < row.size(); ++c) {
      if (c > 0) out += ',';
      const Figure* figure = row[c].figure();
      if (const std::string* text = row[c].text()) out += escape_csv(*text);
      if (figure != nullptr) out += csv_number(figure->value);
      if (table.has_spread(c))
        out += "," + (figure && figure->sd ? csv_number(*figure->sd) : std::string());
    }
    out += "\r\n";
  }
  return out;
}

}  // namespace divns
