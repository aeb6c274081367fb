// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/files.h"

namespace divns {

ReportTable::ReportTable(std::string title, std::vector<Column> columns)
    : title_(std::move(title)), columns_(std::move(columns)) {}

void ReportTable::add(std::vector<Cell> row) {
  DIVNS_ASSERT(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

void ReportTable::add_rule() {
  if (!has_rule_before(rows_.size())) rules_.push_back(rows_.size());
}

void ReportTable::add_note(std::string sentence) {
  notes_.push_back(std::move(sentence));
}

void ReportTable::mark_best(size_t column, Better better) {
  mark_best(column, 0, rows_.size(), better);
}

void ReportTable::mark_best(size_t column, size_t first, size_t last, Better better) {
  std::vector<Figure*> figures;
  for (size_t r = first; r < last; ++r)
    if (Figure* figure = rows_[r][column].figure(); figure && std::isfinite(figure->value))
      figures.push_back(figure);
  if (figures.size() < 2) return;
  const auto is_better = [&](const Figure* a, const Figure* b) {
    return better == Better::kHigher ? a->value > b->value : a->value < b->value;
  };
  std::stable_sort(figures.begin(), figures.end(), is_better);
  size_t place = 0;
  for (; place < figures.size() && figures[place]->value == figures[0]->value; ++place)
    figures[place]->mark = Mark::kBest;
  if (place > 1 || place == figures.size()) return;
  for (size_t i = place; i < figures.size() && figures[i]->value == figures[place]->value; ++i)
    figures[i]->mark = Mark::kSecond;
}

bool ReportTable::has_rule_before(size_t row) const {
  return std::find(rules_.begin(), rules_.end(), row) != rules_.end();
}

namespace {

template <class Test>
bool any_figure(const ReportTable& table, size_t column, Test test) {
  return std::any_of(table.rows().begin(), table.rows().end(), [&](const auto& row) {
    return row[column].figure() != nullptr && test(*row[column].figure());
  });
}

}  // namespace

bool ReportTable::is_numeric(size_t column) const {
  return any_figure(*this, column, [](const Figure&) { return true; });
}

bool ReportTable::has_marks(size_t column) const {
  return any_figure(*this, column, [](const Figure& f) { return f.mark != Mark::kNone; });
}

bool ReportTable::has_stars(size_t column) const {
  return any_figure(*this, column, [](const Figure& f) { return f.star; });
}

bool ReportTable::has_spread(size_t column) const {
  return any_figure(*this, column, [](const Figure& f) { return f.sd.has_value(); });
}

void write_table(const std::filesystem::path& folder, const std::string& name,
                 const ReportTable& table) {
  write_file_atomically(folder / (name + ".md"), to_markdown(table));
  write_file_atomically(folder / (name + ".tex"), to_latex(table, name));
  write_file_atomically(folder / (name + ".csv"), to_csv(table));
}

}  // namespace divns
