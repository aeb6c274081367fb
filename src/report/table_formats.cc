// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/escape.h"
#include "divns/text_table.h"
#include "report/table.h"

namespace divns {
namespace {

std::string rounded(double value, int digits) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const std::string text = fmt::format("{:.{}f}", value, digits);
  // Avoids "-0.00".
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

// Marks that occur in a column, for which every cell reserves space after its figure.
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

// The shortest decimal that reads back to the same bits; empty if it is not finite.
std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

// The headings that span adjacent columns of a group, and the lines below them.
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

// Some columns of a table, without title and notes.
std::string columns_text(const ReportTable& table, const std::vector<size_t>& columns) {
  std::vector<std::string> header, groups;
  std::vector<MarkPlaces> places;
  for (const size_t c : columns) {
    places.push_back({table.has_stars(c), table.has_marks(c)});
    header.push_back(table.columns()[c].name + places.back().behind({}));
    groups.push_back(table.columns()[c].group);
  }
  TextTable text(header);
  if (std::any_of(groups.begin(), groups.end(), [](const auto& name) { return !name.empty(); }))
    text.set_groups(groups);
  for (size_t i = 0; i < columns.size(); ++i) text.align_left(i, !table.is_numeric(columns[i]));
  text.add_rule();
  for (size_t r = 0; r < table.rows().size(); ++r) {
    if (r > 0 && table.has_rule_before(r)) text.add_rule();
    std::vector<std::string> row;
    for (size_t i = 0; i < columns.size(); ++i)
      row.push_back(terminal_cell(table.rows()[r][columns[i]], places[i]));
    text.add(std::move(row));
  }
  return text.text();
}

size_t widest_line(std::string_view text) {
  size_t widest = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    widest = std::max(widest, display_width(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}

}  // namespace

std::string to_text(const Figure& figure) {
  return with_unit(figure, " ± ");
}

std::string to_text(const ReportTable& table, size_t columns) {
  std::vector<size_t> keys, figures;
  MarkPlaces any;
  for (size_t c = 0; c < table.columns().size(); ++c) {
    (table.is_numeric(c) ? figures : keys).push_back(c);
    any = {any.star || table.has_stars(c), any.mark || table.has_marks(c)};
  }
  std::string out = escape_terminal(table.title()) + "\n";
  std::vector<size_t> all(table.columns().size());
  std::iota(all.begin(), all.end(), size_t{0});
  std::string block = columns_text(table, all);
  if (widest_line(block) > columns && !figures.empty()) {
    block.clear();
    for (size_t next = 0; next < figures.size();) {
      std::vector<size_t> chosen = keys;
      std::string fitting;
      // At least one column, however wide.
      for (; next < figures.size(); ++next) {
        chosen.push_back(figures[next]);
        std::string longer = columns_text(table, chosen);
        if (!fitting.empty() && widest_line(longer) > columns) break;
        fitting = std::move(longer);
      }
      block += (block.empty() ? "" : "\n") + fitting;
    }
  }
  out += block;
  if (any.mark) out += "* best, + second best\n";
  if (any.star) out += "' significant\n";
  for (const std::string& note : table.notes()) out += escape_terminal(note) + "\n";
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
  for (size_t c = 0; c < table.columns().size(); ++c)
    if (table.has_stars(c)) {
      out += "\n\\* significant\n";
      break;
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
