// SPDX-License-Identifier: Apache-2.0
#include "study/reproduce.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/escape.h"
#include "base/files.h"
#include "base/json.h"
#include "base/machine.h"
#include "divns/text_table.h"
#include "divns/version.h"
#include "study/reproduce_parts.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
bool is_prepared(const fs::path& folder) {
  return fs::exists(folder / "dataset.json");
}

std::string name_of(const fs::path& folder) {
  // "data/ml-1m/" has an empty last part.
  std::string name =
      (folder.filename().empty() ? folder.parent_path() : folder).filename().string();
  constexpr std::string_view kEnding = ".divns";
  if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
  return name;
}

size_t place_in_paper(const std::string& name) {
  const auto all = paper_datasets();
  return static_cast<size_t>(
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; }) -
      all.begin());
}

// What the reader should know before comparing.
std::vector<std::string> notes_on(const ReproduceRequest& request, const PaperTable& paper,
                                  const std::vector<OpenDataset>& datasets) {
  std::vector<std::string> notes;
  if (request.quick)
    notes.push_back(
        fmt::format("QUICK: one seed, at most {} epochs. This shows that the experiment runs; its "
                    "numbers are not the experiment's.",
                    ReproduceRequest::kQuickEpochs));
  const PaperTable sizes = paper_table("table-datasets");
  for (const OpenDataset& dataset : datasets) {
    const auto printed = [&](const char* metric) {
      return sizes.find(dataset.name, "", "", "", metric);
    };
    if (!is_paper_dataset(dataset.name)) {
      notes.push_back(fmt::format(
          "The paper has no dataset '{}': there is nothing to compare with, and the training takes "
          "the settings that are common to all of its experiments.",
          dataset.name));
      continue;
    }
    const DatasetCounts counts = counts_of(dataset.data);
    if (counts.users != printed("users")->printed || counts.items != printed("items")->printed ||
        counts.pairs != printed("pairs")->printed)
      notes.push_back(fmt::format(
          "{} is not the paper's dataset: {} users, {} items and {} pairs against {}, {} and {}.",
          dataset.name, counts.users, counts.items, counts.pairs, printed("users")->printed,
          printed("items")->printed, printed("pairs")->printed));
  }
  if (paper.rows.empty()) return notes;
  std::vector<std::string_view> missing;
  for (const PaperDataset& each : paper_datasets())
    if (std::none_of(datasets.begin(), datasets.end(),
                     [&](const OpenDataset& dataset) { return dataset.name == each.name; }))
      missing.push_back(each.name);
  if (!missing.empty()) notes.push_back(fmt::format("Not given: {}.", fmt::join(missing, ", ")));
  return notes;
}

Json record_of(const ReproduceRequest& request, const std::vector<OpenDataset>& datasets) {
  Json record = {{"reproduces", request.name}, {"command", request.command},
                 {"divns_version", kVersion},  {"machine", machine_description()},
                 {"quick", request.quick},     {"seeds", seeds_of(request)},
                 {"settings", Json::object()}, {"datasets", Json::object()}};
  for (const Setting& setting : request.settings) record["settings"][setting.name] = setting.value;
  for (const OpenDataset& dataset : datasets)
    record["datasets"][dataset.name] = {{"hash", dataset.data.hash()}};
  return record;
}

Json figures_json(const std::vector<ReproducedFigure>& figures) {
  Json list = Json::array();
  for (const ReproducedFigure& figure : figures) {
    Json json = Json::object();
    const std::pair<const char*, const std::string&> names[] = {{"dataset", figure.dataset},
                                                                {"model", figure.model},
                                                                {"sampler", figure.sampler},
                                                                {"setting", figure.setting},
                                                                {"metric", figure.metric}};
    for (const auto& [key, name] : names)
      if (!name.empty()) json[key] = name;
    json["ours"] = figure.value;
    if (figure.sd) json["sd"] = *figure.sd;
    if (figure.paper) json["paper"] = *figure.paper;
    if (figure.ratio()) json["ratio"] = *figure.ratio();
    list.push_back(std::move(json));
  }
  return list;
}

// Notes of the paper's own on numbers that are shown, each once.
std::vector<std::string> paper_notes(const Reproduction& reproduction) {
  std::vector<std::string> notes;
  for (const ReproducedFigure& figure : reproduction.figures) {
    if (figure.paper_note.empty()) continue;
    const std::string note = fmt::format("On the paper's {} {} {}: {}", figure.dataset,
                                         figure.sampler, figure.metric, figure.paper_note);
    const bool known = std::any_of(notes.begin(), notes.end(), [&](const std::string& other) {
      return other.ends_with(figure.paper_note);
    });
    if (!known) notes.push_back(note);
  }
  return notes;
}

std::vector<std::string> all_notes(const Reproduction& reproduction) {
  std::vector<std::string> notes = reproduction.notes;
  if (!reproduction.paper.claim.empty())
    notes.push_back("The paper says: " + reproduction.paper.claim);
  for (const std::string& note : reproduction.paper.notes) notes.push_back("On the paper: " + note);
  for (std::string& note : paper_notes(reproduction)) notes.push_back(std::move(note));
  return notes;
}

}  // namespace

std::vector<NamedFolder> find_prepared(const std::vector<std::string>& given) {
  std::vector<NamedFolder> found;
  for (const std::string& text : given) {
    const size_t equals = text.find('=');
    if (equals != std::string::npos && equals > 0) {
      found.push_back({text.substr(0, equals), text.substr(equals + 1)});
      continue;
    }
    if (is_prepared(text)) {
      found.push_back({name_of(text), text});
      continue;
    }
    const size_t before = found.size();
    if (fs::is_directory(text))
      for (const auto& entry : fs::directory_iterator(text))
        if (is_prepared(entry.path())) found.push_back({name_of(entry.path()), entry.path()});
    if (found.size() == before)
      fail(
          "{} is neither a prepared dataset nor a folder of them. Give NAME=FOLDER, as in "
          "ml-1m=data/ml-1m, with a folder that `divns data prepare` wrote.",
          text);
    std::sort(found.begin() + static_cast<ptrdiff_t>(before), found.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
  }
  for (size_t i = 0; i < found.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (found[i].name == found[j].name)
        fail("two datasets are called '{}': {} and {}. Give one of them another name.",
             found[i].name, found[j].folder.string(), found[i].folder.string());
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return place_in_paper(a.name) < place_in_paper(b.name);
  });
  return found;
}

Reproduction run_reproduction(const ReproduceRequest& request) {
  Reproduction result;
  result.paper = paper_table(request.name);
  const bool is_toy = request.name == "figure-toy";
  if (!is_toy && request.datasets.empty())
    fail("{} needs a prepared dataset. Say --data NAME=FOLDER, as in --data ml-1m=data/ml-1m.",
         request.name);
  std::vector<OpenDataset> datasets;
  if (!is_toy)
    for (const NamedFolder& each : request.datasets)
      datasets.push_back({each.name, Dataset::open(each.folder)});
  Json record = record_of(request, datasets);
  if (!is_toy) result.notes = notes_on(request, result.paper, datasets);
  if (is_toy)
    reproduce_toy(result);
  else if (request.name == "table-datasets")
    reproduce_datasets(datasets, result);
  else if (request.name == "figure-map")
    reproduce_map(request, datasets, result, record);
  else
    reproduce_runs(request, datasets, result, record);
  record["figures"] = figures_json(result.figures);
  record["notes"] = all_notes(result);
  result.record = json_text(record) + "\n";
  return result;
}

std::string to_text(const Reproduction& reproduction, size_t columns) {
  std::string text = fmt::format("{}: {}\n\n", reproduction.paper.source, reproduction.paper.title);
  for (const ReportTable& table : reproduction.tables) text += to_text(table, columns) + "\n";
  for (const std::string& note : all_notes(reproduction)) text += note + "\n";
  return text;
}

void write_reproduction(const fs::path& folder, const Reproduction& reproduction) {
  const std::string& name = reproduction.paper.name;
  std::string markdown =
      fmt::format("# {}: {}\n\n", reproduction.paper.source, reproduction.paper.title);
  std::string latex;
  for (size_t t = 0; t < reproduction.tables.size(); ++t) {
    markdown += to_markdown(reproduction.tables[t]) + "\n";
    latex += to_latex(reproduction.tables[t], fmt::format("{}-{}", name, t + 1)) + "\n";
  }
  for (const std::string& note : all_notes(reproduction)) {
    markdown += escape_markdown(note) + "\n\n";
    latex += "% " + note + "\n";
  }
  make_folder(folder);
  write_file_atomically(folder / (name + ".md"), markdown);
  write_file_atomically(folder / (name + ".tex"), latex);
  write_chart(folder, name, reproduction.chart, reproduction.data);
  write_file_atomically(folder / (name + ".json"), reproduction.record);
}

std::vector<std::string> reproducible_names() {
  return {paper_table_names().begin(), paper_table_names().end()};
}

ReproduceResult reproduce(const ReproduceOptions& options, const StudyCallbacks& callbacks) {
  if (options.out.empty()) fail("no folder for the results was given; choose one with --out.");
  const fs::path folder = options.out;
  const Reproduction done =
      run_reproduction({.name = options.name,
                        .datasets = find_prepared(options.data),
                        .runs = options.runs.empty() ? folder / "runs" : fs::path(options.runs),
                        .seeds = options.seeds,
                        .quick = options.quick,
                        .models = options.models,
                        .samplers = options.samplers,
                        .settings = options.settings,
                        .command = options.command,
                        .runner = {options.jobs, options.threads},
                        .hooks = callbacks});
  ReproduceResult result;
  if (!done.complete) return result;
  write_reproduction(folder, done);
  result.finished = true;
  result.text = to_text(done, static_cast<size_t>(options.text_columns));
  result.json = done.record;
  return result;
}

}  // namespace divns
