// SPDX-License-Identifier: Apache-2.0
// The paper's tables and figures by name: trains what they need, or takes the runs that are there,
// and puts ours beside the printed number, ratio by ratio.
//
//   const Reproduction done = run_reproduction({.name = "table-utility",
//                                        .datasets = {{"ml-1m", "data/ml-1m"}},
//                                        .runs = "out/runs"});
//   write_reproduction("out", done);  // table-utility.md, .tex, .csv, .vl.json, .json
#pragma once

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/chart.h"
#include "report/table.h"
#include "study/paper.h"
#include "study/runner.h"

namespace divns {

struct NamedFolder {
  std::string name;  // that of the paper's dataset, where it is one
  std::filesystem::path folder;
};

// Each text is NAME=FOLDER, a prepared dataset, or a folder of prepared datasets; the latter two
// are named by their folders, an ending ".divns" left out. The order is that of the paper, then of
// the texts.
std::vector<NamedFolder> find_prepared(const std::vector<std::string>& given);

struct ReproduceRequest {
  std::string name;  // one of paper_table_names()
  std::vector<NamedFolder> datasets = {};
  std::filesystem::path runs = {};  // where runs are kept, and found
  int seeds = 5;                    // 1, 2, ...
  // One seed and kQuickEpochs epochs: shows how it works, not how it comes out.
  bool quick = false;
  std::vector<std::string> models = {};    // only these; empty: those of the paper
  std::vector<std::string> samplers = {};  // likewise
  Settings settings = {};                  // on top of the paper's hyper-parameters
  std::string command = {};                // the command that repeats it, for the record
  RunnerOptions runner = {};
  StudyCallbacks hooks = {};

  static constexpr int kQuickEpochs = 20;
};

// One number of ours, and the paper's where it prints one.
struct ReproducedFigure {
  std::string dataset = {};
  std::string model = {};
  std::string sampler = {};
  std::string setting = {};
  std::string metric = {};
  double value = 0;  // mean over the seeds
  std::optional<double> sd = {};
  std::optional<double> paper = {};
  std::string paper_note = {};

  std::optional<double> ratio() const {
    return paper && *paper != 0 ? std::optional(value / *paper) : std::nullopt;
  }
};

struct Reproduction {
  PaperTable paper;
  bool complete = true;  // false: stopped; the same request goes on later
  std::vector<ReproducedFigure> figures;
  std::vector<ReportTable> tables;  // for people
  ReportTable data{"", {}};         // the rows that the chart draws, and the CSV
  Chart chart = {};
  std::vector<std::string> notes;  // what differs from the paper's experiment
  std::string record;              // JSON: version, machine, datasets, settings, runs
};

Reproduction run_reproduction(const ReproduceRequest& request);

// For the terminal.
std::string to_text(const Reproduction& reproduction, size_t columns = 120);
// <name>.md, .tex, .csv, .vl.json and .json.
void write_reproduction(const std::filesystem::path& folder, const Reproduction& reproduction);

}  // namespace divns
