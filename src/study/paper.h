// SPDX-License-Identifier: Apache-2.0
// The numbers of the DivNS paper, from configs/paper/*.json, which are compiled into the library.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "study/run_spec.h"

namespace divns {

struct PaperDataset {
  std::string_view name;   // "amazon-beauty", the key of every file
  std::string_view title;  // "Amazon Beauty"
};
std::span<const PaperDataset> paper_datasets();
bool is_paper_dataset(std::string_view name);

// One printed number. Fields that do not apply (such as a model for the size of a dataset) are
// empty.
struct PaperFigure {
  std::string dataset;
  std::string model;
  std::string sampler;
  std::string setting;  // "divns.lambda=0.5" if the row is about an option
  std::string metric;   // "ndcg@20", "diversity", "epoch_seconds", ...
  double printed = 0;
  std::optional<double> corrected = {};  // set for an obvious misprint
  std::string note = {};                 // a misprint or contradiction that concerns this number

  double value() const { return corrected.value_or(printed); }
};

// "RI": DivNS over the best other sampler, in percent.
struct PaperImprovement {
  std::string dataset;
  std::string model;
  std::string metric;
  double percent = 0;
  bool significant = false;
};

// A row of a table or a point of a figure, and the settings it was trained with.
struct PaperRow {
  std::string model;
  std::string sampler;
  std::string setting;
};

struct PaperTable {
  std::string name;    // "table-utility"
  std::string source;  // "Table 1"
  std::string title;
  std::string claim;                 // claim of the text about a figure without printed numbers
  std::vector<PaperRow> rows;        // including those without a printed number
  std::vector<std::string> metrics;  // metrics of the columns, each once
  std::vector<PaperFigure> figures;
  std::vector<PaperImprovement> improvements;
  std::vector<std::string> notes;  // notes that concern no single number

  // Empty arguments do not apply. Null if the paper prints no such number.
  const PaperFigure* find(std::string_view dataset, std::string_view model,
                          std::string_view sampler, std::string_view setting,
                          std::string_view metric) const;
};

// In the order of the paper, tables first.
std::span<const std::string_view> paper_table_names();
// Throws Error for an unknown name, with the nearest known one.
PaperTable paper_table(std::string_view name);

// The paper's hyper-parameters for a run (its Table 4), from general to specific. For datasets that
// the paper does not have, only the general ones.
Settings paper_settings(std::string_view dataset, std::string_view model, std::string_view sampler);

// The values that the paper searched for one sampler.
struct GridAxis {
  std::string name;
  std::vector<std::string> values;
};
std::vector<GridAxis> paper_grid(std::string_view sampler);

}  // namespace divns
