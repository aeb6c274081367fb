// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "summary/sections.h"

namespace divns {
namespace {

std::string joined(const std::set<std::string>& values) {
  return shown_text(fmt::format("{}", fmt::join(values, ", ")), 400);
}

}  // namespace

ReportSection reproducibility_section(const Summary& summary) {
  ReportSection section{.id = "reproduce", .title = "Reproducibility"};
  if (summary.rows.empty()) return section;
  std::set<std::string> versions, machines, hashes, data, models;
  std::set<uint64_t> seeds;
  size_t runs = 0;
  size_t finished = 0;
  for (const SummaryRow& row : summary.rows)
    for (const SourceRun& run : row.runs) {
      ++runs;
      finished += run.finished ? 1 : 0;
      seeds.insert(run.seed);
      models.insert(row.model);
      if (!run.version.empty()) versions.insert(run.version);
      if (!run.machine.empty()) machines.insert(run.machine);
      if (!run.dataset_hash.empty()) hashes.insert(run.dataset_hash);
      if (!run.data_folder.empty()) data.insert(run.data_folder);
    }
  ReportBlock facts{.kind = ReportBlock::Kind::kFacts, .title = "What produced these numbers"};
  const auto add = [&](const char* name, std::string value) {
    if (!value.empty()) facts.facts.emplace_back(name, std::move(value));
  };
  add("divns version", joined(versions));
  add("machine", joined(machines));
  add("dataset hash", joined(hashes));
  add("dataset", joined(data));
  add("models", joined(models));
  add("seeds", fmt::format("{}", fmt::join(seeds, ", ")));
  add("runs", finished == runs ? fmt::format("{}", runs)
                               : fmt::format("{}, of which {} are finished", runs, finished));
  add("part of the data", summary.on_test ? "test, at the epoch with the best validation"
                                          : "validation; the test part was not opened");
  section.blocks.push_back(std::move(facts));
  if (!summary.command.empty())
    section.blocks.push_back({.kind = ReportBlock::Kind::kCode,
                              .title = "Command",
                              .text = "The same command gives the same numbers on the same kind of "
                                      "processor.",
                              .code = summary.command});
  const auto reference = std::find_if(summary.rows.begin(), summary.rows.end(),
                                      [](const SummaryRow& row) { return row.is_reference; });
  const SummaryRow& shown = reference == summary.rows.end() ? summary.rows.front() : *reference;
  if (!shown.config.empty())
    section.blocks.push_back({.kind = ReportBlock::Kind::kCode,
                              .title = "Options of " + shown_text(shown.series),
                              .code = shown.config});
  return section;
}

}  // namespace divns
