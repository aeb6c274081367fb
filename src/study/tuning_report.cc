// SPDX-License-Identifier: Apache-2.0
#include "study/tuning_report.h"

#include <fmt/format.h>

#include "base/escape.h"
#include "base/files.h"
#include "base/json.h"
#include "study/study_folder.h"

namespace divns {
namespace {

Json settings_json(const Settings& settings) {
  Json json = Json::object();
  for (const Setting& setting : settings) json[setting.name] = setting.value;
  return json;
}

std::string settings_text(const Settings& settings) {
  std::vector<std::string> parts;
  for (const Setting& setting : settings) parts.push_back(to_string(setting));
  return fmt::format("{}", fmt::join(parts, " "));
}

Json plan_json(const Dataset& data, const TuningRequest& request) {
  const HalvingPlan& plan = request.plan;
  return {{"seed", request.seed},
          {"grid", request.paper_grid ? "paper" : "declared"},
          {"fixed", request.fixed},
          {"trials", plan.trials},
          {"rungs", plan.rungs},
          {"keep", plan.keep},
          {"most_epochs_each", plan.epochs()},
          {"most_pairs_each", plan.epochs() * data.train().pairs()}};
}

Json trial_json(const Trial& trial, const std::string& metric) {
  Json json = {
      {"settings", settings_json(trial.settings)}, {"run", trial.run.id}, {"rungs", Json::array()}};
  for (const Trial::AtRung& rung : trial.rungs) {
    Json entry = {{"epochs", rung.epochs}, {"best_epoch", rung.best_epoch}};
    if (rung.valid) entry["valid_" + metric] = *rung.valid;
    json["rungs"].push_back(std::move(entry));
  }
  return json;
}

Cell valid_of(const Trial& trial) {
  const std::optional<double>& valid = trial.rungs.back().valid;
  return valid ? Cell(Figure{.value = *valid}) : Cell();
}

Figure count(uint64_t value) {
  return {.value = static_cast<double>(value), .digits = 0};
}

std::string commands_script(const Dataset& data, const TuningStudy& study) {
  return fmt::format(
      "#!/bin/sh\n# Repeats the tuning in the folder given; results are equal, byte for byte.\n{} "
      "--out \"${{1:?folder of the new study}}\"\n\n# The winners on the test part:\n# divns "
      "compare --data {} --samplers {} --seeds 5 --out COMPARISON\n",
      study.command, escape_shell_comment(escape_shell(data.folder().string())),
      escape_shell_comment(escape_shell((study.out / "best.toml").string())));
}

}  // namespace

Json tuning_request_json(const Dataset& data, const TuningRequest& request,
                         const TuningResult& planned) {
  Json json = {{"verb", "tune"}, {"dataset_hash", data.hash()}};
  json["plan"] = plan_json(data, request);
  for (const TuningResult::OfRow& row : planned.rows) {
    Json entry = {{"label", row.row.label}, {"model", row.row.model}};
    for (const Trial& trial : row.trials) entry["runs"].push_back(trial.run.id);
    json["rows"].push_back(std::move(entry));
  }
  return json;
}

Json tuning_json(const Dataset& data, const TuningRequest& request, const TuningResult& result) {
  Json json = {{"part", "valid"}, {"metric", result.metric}};
  json["plan"] = plan_json(data, request);
  json["notes"] = result.notes;
  for (const TuningResult::OfRow& row : result.rows) {
    Json entry = {{"model", row.row.model},
                  {"label", row.row.label},
                  {"sampler", row.row.sampler},
                  {"settings", settings_json(row.row.settings)},
                  {"best_trial", row.best},
                  {"epochs_trained", row.epochs_trained},
                  {"pairs_trained", row.epochs_trained * data.train().pairs()},
                  {"trials", Json::array()}};
    for (const Trial& trial : row.trials)
      entry["trials"].push_back(trial_json(trial, result.metric));
    json["rows"].push_back(std::move(entry));
  }
  return json;
}

ReportTable winners_table(const TuningResult& result) {
  ReportTable table(
      "Best trials on the validation part",
      {{"model"}, {"sampler"}, {result.metric}, {"untuned"}, {"trials"}, {"epochs"}, {"settings"}});
  std::string group;
  size_t first = 0;
  for (const TuningResult::OfRow& row : result.rows) {
    if (row.row.group != group && !table.rows().empty()) {
      table.mark_best(2, first, table.rows().size());
      table.add_rule();
      first = table.rows().size();
    }
    group = row.row.group;
    const std::string settings = settings_text(row.trials[row.best].settings);
    table.add({row.row.model, row.row.sampler.empty() ? Cell() : Cell(row.row.label),
               valid_of(row.trials[row.best]), valid_of(row.trials.front()),
               count(row.trials.size()), count(row.epochs_trained),
               settings.empty() ? "as it stands" : settings});
  }
  table.mark_best(2, first, table.rows().size());
  table.add_note(
      "Validation part; 'untuned' is the first trial, the row as it stands, as far as it came. The "
      "test part has not been opened.");
  for (const std::string& note : result.notes) table.add_note(note);
  return table;
}

ReportTable trials_table(const TuningResult& result) {
  ReportTable table("Trials", {{"model"},
                               {"label"},
                               {"trial"},
                               {"rungs"},
                               {"epochs"},
                               {"best_epoch"},
                               {"valid_" + result.metric},
                               {"winner"},
                               {"run"},
                               {"settings"}});
  for (const TuningResult::OfRow& row : result.rows)
    for (size_t t = 0; t < row.trials.size(); ++t) {
      const Trial& trial = row.trials[t];
      table.add({row.row.model, row.row.label, count(t), count(trial.rungs.size()),
                 count(trial.rungs.back().epochs), count(trial.rungs.back().best_epoch),
                 valid_of(trial), t == row.best ? "yes" : "no", trial.run.id,
                 settings_text(trial.settings)});
    }
  return table;
}

void write_tuning(const std::filesystem::path& folder, const Dataset& data,
                  const TuningStudy& study, const TuningResult& result) {
  write_table(folder, "winners", winners_table(result));
  write_file_atomically(folder / "trials.csv", to_csv(trials_table(result)));
  write_file_atomically(folder / "best.toml", variants_toml(result.winners()));
  write_file_atomically(folder / "commands.sh", commands_script(data, study));
  Json json = study_header("tune", study.command, data);
  json.update(tuning_json(data, study.request, result));
  // Written last: if it exists, the study is finished.
  write_file_atomically(folder / "study.json", json_text(json) + "\n");
}

}  // namespace divns
