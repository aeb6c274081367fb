// SPDX-License-Identifier: Apache-2.0
#include "study/paper.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/json.h"
#include "divns/did_you_mean.h"
#include "study/paper_files.h"

namespace divns {
namespace {

constexpr std::array<PaperDataset, 4> kDatasets = {{{"amazon-beauty", "Amazon Beauty"},
                                                    {"ml-1m", "ML 1M"},
                                                    {"pinterest", "Pinterest"},
                                                    {"yelp-2022", "Yelp 2022"}}};
constexpr std::array<std::string_view, 11> kReproducible = {
    "table-utility",     "table-ablation", "table-datasets", "table-diversity",
    "table-cache-ratio", "table-runtime",  "figure-toy",     "figure-diversity",
    "figure-lambda",     "figure-map",     "figure-sampling"};

Json open_file(std::string_view name) {
  const auto files = paper_files();
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](const PaperFile& each) { return each.name == name; });
  DIVNS_ASSERT(file != files.end());
  return parse_json(file->text);
}

std::string text_of(const Json& object, const char* key) {
  return object.value(key, std::string());
}

// A note applies to every number that has all of the properties it names.
bool is_about(const Json& note, const PaperFigure& figure) {
  const std::pair<const char*, const std::string&> properties[] = {{"dataset", figure.dataset},
                                                                   {"model", figure.model},
                                                                   {"sampler", figure.sampler},
                                                                   {"setting", figure.setting},
                                                                   {"metric", figure.metric}};
  bool names_any = false;
  for (const auto& [key, value] : properties) {
    if (!note.contains(key)) continue;
    names_any = true;
    if (note[key] != value) return false;
  }
  return names_any;
}

void add_figures(const Json& file, PaperTable& table) {
  for (const Json& row : file["rows"])
    for (size_t c = 0; c < file["columns"].size(); ++c) {
      const Json& value = row["values"][c];
      if (value.is_null()) continue;
      const Json& column = file["columns"][c];
      PaperFigure figure{.dataset = text_of(column, "dataset"),
                         .model = text_of(row, "model"),
                         .sampler = text_of(row, "sampler"),
                         .setting = text_of(row, "setting"),
                         .metric = text_of(column, "metric"),
                         .printed = value.get<double>()};
      for (const Json& note : file["notes"]) {
        if (!is_about(note, figure)) continue;
        if (!figure.note.empty()) figure.note += ' ';
        figure.note += text_of(note, "note");
        if (note.contains("corrected")) figure.corrected = note["corrected"].get<double>();
      }
      table.figures.push_back(std::move(figure));
    }
}

void add_improvements(const Json& file, PaperTable& table) {
  if (!file.contains("improvements")) return;
  for (const Json& row : file["improvements"])
    for (size_t c = 0; c < file["columns"].size(); ++c)
      table.improvements.push_back({.dataset = text_of(file["columns"][c], "dataset"),
                                    .model = text_of(row, "model"),
                                    .metric = text_of(file["columns"][c], "metric"),
                                    .percent = row["percent"][c].get<double>(),
                                    .significant = row["significant"][c].get<bool>()});
}

void append(Settings& settings, const Json& parent, std::string_view key) {
  const auto found = parent.find(key);
  if (found == parent.end()) return;
  for (const auto& [name, value] : found->items()) settings.push_back({name, value});
}

}  // namespace

std::span<const PaperDataset> paper_datasets() {
  return kDatasets;
}

bool is_paper_dataset(std::string_view name) {
  return std::any_of(kDatasets.begin(), kDatasets.end(),
                     [&](const PaperDataset& each) { return each.name == name; });
}

const PaperFigure* PaperTable::find(std::string_view dataset, std::string_view model,
                                    std::string_view sampler, std::string_view setting,
                                    std::string_view metric) const {
  for (const PaperFigure& figure : figures)
    if (figure.dataset == dataset && figure.model == model && figure.sampler == sampler &&
        figure.setting == setting && figure.metric == metric)
      return &figure;
  return nullptr;
}

std::span<const std::string_view> paper_table_names() {
  return kReproducible;
}

PaperTable paper_table(std::string_view name) {
  if (std::find(kReproducible.begin(), kReproducible.end(), name) == kReproducible.end())
    fail("there is no table or figure '{}'.{} There are: {}.", name,
         did_you_mean(name, std::vector<std::string>(kReproducible.begin(), kReproducible.end())),
         fmt::join(kReproducible, ", "));
  const Json file = open_file(name);
  PaperTable table{.name = std::string(name),
                   .source = text_of(file, "source"),
                   .title = text_of(file, "title"),
                   .claim = text_of(file, "claim"),
                   .rows = {},
                   .metrics = {},
                   .figures = {},
                   .improvements = {},
                   .notes = {}};
  for (const Json& row : file["rows"])
    table.rows.push_back({text_of(row, "model"), text_of(row, "sampler"), text_of(row, "setting")});
  for (const Json& column : file["columns"]) {
    const std::string metric = text_of(column, "metric");
    if (std::find(table.metrics.begin(), table.metrics.end(), metric) == table.metrics.end())
      table.metrics.push_back(metric);
  }
  add_figures(file, table);
  add_improvements(file, table);
  for (const Json& note : file["notes"])
    if (note.size() == 1) table.notes.push_back(text_of(note, "note"));
  return table;
}

Settings paper_settings(std::string_view dataset, std::string_view model,
                        std::string_view sampler) {
  const Json file = open_file("hyperparameters");
  Settings settings;
  append(settings, file, "common");
  const auto of_dataset = file["datasets"].find(dataset);
  if (of_dataset == file["datasets"].end()) return settings;
  const auto of_model = of_dataset->find(model);
  if (of_model == of_dataset->end()) return settings;
  append(settings, *of_model, "*");
  append(settings, *of_model, sampler);
  return settings;
}

std::vector<GridAxis> paper_grid(std::string_view sampler) {
  const Json file = open_file("hyperparameters");
  std::vector<GridAxis> axes;
  for (const std::string_view key : {std::string_view("*"), sampler}) {
    const auto found = file["grid"].find(key);
    if (found == file["grid"].end()) continue;
    for (const auto& [name, values] : found->items())
      axes.push_back({name, values.get<std::vector<std::string>>()});
  }
  return axes;
}

}  // namespace divns
