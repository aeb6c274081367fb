// SPDX-License-Identifier: Apache-2.0
#include "summary/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/escape.h"
#include "base/json.h"

namespace divns {
namespace {

// Six significant digits are more than a picture shows, and half the size of all of them.
Json short_number(double value) {
  if (!std::isfinite(value)) return {};
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

Json cell_json(const Cell& cell) {
  if (const std::string* text = cell.text()) return *text;
  const Figure* figure = cell.figure();
  if (figure == nullptr) return {};
  Json json = {{"v", short_number(figure->value)}, {"s", to_text(*figure)}};
  if (figure->mark != Mark::kNone) json["mark"] = figure->mark == Mark::kBest ? "best" : "second";
  if (figure->star) json["star"] = true;
  if (!figure->tip.empty()) json["tip"] = figure->tip;
  return json;
}

Json table_json(const ReportTable& table) {
  Json json = {{"columns", Json::array()}, {"rows", Json::array()}, {"notes", table.notes()}};
  for (size_t c = 0; c < table.columns().size(); ++c) {
    Json column = {{"name", table.columns()[c].name}, {"numeric", table.is_numeric(c)}};
    if (!table.columns()[c].group.empty()) column["group"] = table.columns()[c].group;
    json["columns"].push_back(std::move(column));
  }
  for (const std::vector<Cell>& row : table.rows()) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(cell_json(cell));
    json["rows"].push_back(std::move(cells));
  }
  return json;
}

// The rows of a chart as columns, which need their names once.
Json columns_json(const ReportTable& table) {
  Json json = Json::object();
  for (size_t c = 0; c < table.columns().size(); ++c) {
    Json values = Json::array();
    Json spreads = Json::array();
    for (const std::vector<Cell>& row : table.rows()) {
      const Figure* figure = row[c].figure();
      const std::string* text = row[c].text();
      values.push_back(figure != nullptr ? short_number(figure->value)
                       : text != nullptr ? Json(*text)
                                         : Json());
      spreads.push_back(figure != nullptr && figure->sd ? short_number(*figure->sd) : Json());
    }
    const std::string name = table.columns()[c].full_name();
    json[name] = std::move(values);
    if (table.has_spread(c)) json[name + " sd"] = std::move(spreads);
  }
  return json;
}

Json control_json(const ChartControl& control) {
  return {{"param", control.param},
          {"label", control.label},
          {"kind", control.is_slider ? "range" : "select"},
          {"values", control.values},
          {"labels", control.labels}};
}

// Lines stay lines; within them nothing is obeyed by whoever shows them.
std::string shown_code(std::string_view code) {
  std::string text;
  for (size_t at = 0; at < code.size();) {
    const size_t end = std::min(code.find('\n', at), code.size());
    text += escape_terminal(code.substr(at, end - at));
    if (end < code.size()) text += '\n';
    at = end + 1;
  }
  return text;
}

Json block_json(const ReportBlock& block) {
  Json json = {{"kind", "table"}, {"title", block.title}};
  if (!block.text.empty()) json["text"] = block.text;
  switch (block.kind) {
    case ReportBlock::Kind::kTable:
      json["table"] = table_json(block.table);
      if (!block.pick.empty()) json["pick"] = block.pick;
      break;
    case ReportBlock::Kind::kChart:
      json["kind"] = "chart";
      json["spec"] =
          block.spec.empty() ? vega_lite_spec(block.chart, block.table) : parse_json(block.spec);
      json["data"] = columns_json(block.table);
      for (const ChartControl& control : block.controls)
        json["controls"].push_back(control_json(control));
      break;
    case ReportBlock::Kind::kFacts:
      json["kind"] = "facts";
      json["rows"] = Json::array();
      for (const auto& [name, value] : block.facts) json["rows"].push_back({name, value});
      break;
    case ReportBlock::Kind::kCode:
      json["kind"] = "code";
      json["code"] = shown_code(block.code);
      break;
  }
  return json;
}

// What a report and its part about one dataset have in common.
Json content_json(const ReportDocument& report) {
  Json json = {{"verdict", report.verdict},
               {"notes", report.notes},
               {"series", report.series},
               {"sections", Json::array()}};
  for (const ReportSection& section : report.sections) {
    if (section.blocks.empty()) continue;
    Json entry = {{"id", section.id}, {"title", section.title}, {"blocks", Json::array()}};
    if (!section.text.empty()) entry["text"] = section.text;
    for (const ReportBlock& block : section.blocks) entry["blocks"].push_back(block_json(block));
    json["sections"].push_back(std::move(entry));
  }
  return json;
}

std::string content_markdown(const ReportDocument& report) {
  std::string text = escape_markdown(report.verdict) + "\n";
  for (const std::string& note : report.notes) text += "\n- " + escape_markdown(note);
  for (const ReportSection& section : report.sections) {
    std::string inside;
    for (const ReportBlock& block : section.blocks) {
      if (block.kind == ReportBlock::Kind::kTable) inside += "\n" + to_markdown(block.table);
      if (block.kind == ReportBlock::Kind::kFacts)
        for (const auto& [name, value] : block.facts)
          inside += fmt::format("\n- {}: {}", escape_markdown(name), escape_markdown(value));
    }
    if (!inside.empty())
      text += fmt::format("\n\n## {}\n{}", escape_markdown(section.title), inside);
  }
  return text;
}

}  // namespace

void ReportSection::add_table(std::string name, ReportTable table, std::string about,
                              std::string pick) {
  blocks.push_back({.kind = ReportBlock::Kind::kTable,
                    .title = std::move(name),
                    .text = std::move(about),
                    .table = std::move(table),
                    .pick = std::move(pick)});
}

void ReportSection::add_chart(Chart chart, ReportTable data, std::string about) {
  std::string name = chart.title;
  chart.width = 0;
  blocks.push_back({.kind = ReportBlock::Kind::kChart,
                    .title = std::move(name),
                    .text = std::move(about),
                    .table = std::move(data),
                    .chart = std::move(chart)});
}

void ReportSection::add_spec(std::string name, const Json& spec, ReportTable data,
                             std::string about, std::vector<ChartControl> controls) {
  blocks.push_back({.kind = ReportBlock::Kind::kChart,
                    .title = std::move(name),
                    .text = std::move(about),
                    .table = std::move(data),
                    .spec = json_line(spec),
                    .controls = std::move(controls)});
}

std::string report_json_text(const ReportDocument& report) {
  Json json = {{"format", "divns-report"},
               {"version", 1},
               {"title", report.title},
               {"subtitle", report.subtitle}};
  json.update(content_json(report));
  for (const ReportDocument& dataset : report.datasets) {
    json["datasets"].push_back({{"name", dataset.title}});
    json["datasets"].back().update(content_json(dataset));
  }
  return json_line(json);
}

std::string report_markdown(const ReportDocument& report) {
  std::string text = fmt::format("# {}\n\n{}\n\n", escape_markdown(report.title),
                                 escape_markdown(report.subtitle)) +
                     content_markdown(report);
  for (const ReportDocument& dataset : report.datasets)
    text += fmt::format("\n\n# {}\n\n", escape_markdown(dataset.title)) + content_markdown(dataset);
  return text + "\n";
}

std::string shown_text(std::string_view text, size_t most) {
  // An escape may be longer than the character, so the text is cut before and after.
  const std::string safe = escape_terminal(text.substr(0, 4 * most));
  size_t characters = 0;
  for (size_t at = 0; at < safe.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(safe[at]) & 0xc0U) != 0x80;
    if (begins && characters++ == most) return safe.substr(0, at) + "…";
  }
  return text.size() > 4 * most ? safe + "…" : safe;
}

Cell shown_cell(std::string_view text) {
  return text.empty() ? Cell() : Cell(shown_text(text));
}

int supported_digits(std::vector<double> spreads) {
  std::erase_if(spreads, [](double spread) { return !(spread > 0) || !std::isfinite(spread); });
  if (spreads.empty()) return 4;
  std::sort(spreads.begin(), spreads.end());
  const double median = spreads[spreads.size() / 2];
  return std::clamp(static_cast<int>(std::ceil(-std::log10(median))) + 1, 0, 6);
}

}  // namespace divns
