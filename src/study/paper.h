// SPDX-License-Identifier: Apache-2.0
// What the DivNS paper prints, from configs/paper/*.json, which are compiled into the library.
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

// One printed number. What does not apply (a model for the size of a dataset) is empty.
struct PaperFigure {
  std::string dataset;
  std::string model;
  std::string sampler;
  std::string setting;  // "divns.lambda=0.5", where the row is about an option
  std::string metric;   // "ndcg@20", "diversity", "epoch_seconds", ...
  double printed = 0;
  std::optional<double> corrected = {};  // where a misprint is plain
  std::string note = {};                 // a misprint or a contradiction that touches this number

  double value() const { return corrected.value_or(printed); }
};

// "RI": DivNS over the best baseline, in percent.
struct PaperImprovement {
  std::string dataset;
  std::string model;
  std::string metric;
  double percent = 0;
  bool significant = false;
};

// A row of a table or a point of a figure: what was trained for it.
struct PaperRow {
  std::string model;
  std::string sampler;
  std::string setting;
};

struct PaperTable {
  std::string name;    // "table-utility"
  std::string source;  // "Table 1"
  std::string title;
  std::string claim;  // what the text says about a figure, where the figure prints no numbers
  std::vector<PaperRow> rows;        // also those without a printed number
  std::vector<std::string> metrics;  // of the columns, each once
  std::vector<PaperFigure> figures;
  std::vector<PaperImprovement> improvements;
  std::vector<std::string> notes;  // those that belong to no number in particular

  // Empty arguments are those that do not apply. Null where the paper prints nothing.
  const PaperFigure* find(std::string_view dataset, std::string_view model,
                          std::string_view sampler, std::string_view setting,
                          std::string_view metric) const;
};

// In the order of the paper, tables first.
std::span<const std::string_view> paper_table_names();
// Throws Error for an unknown name, with the nearest known one.
PaperTable paper_table(std::string_view name);

// The paper's hyper-parameters for a run (its Table 4), from the general to the particular. For
// datasets that the paper does not have, those that are common to all.
Settings paper_settings(std::string_view dataset, std::string_view model, std::string_view sampler);

// The values among which the paper searched, for one sampler.
struct GridAxis {
  std::string name;
  std::vector<std::string> values;
};
std::vector<GridAxis> paper_grid(std::string_view sampler);

}  // namespace divns
