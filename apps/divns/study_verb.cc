// SPDX-License-Identifier: Apache-2.0
#include "divns/study_verb.h"

#include <array>

#include "base/check.h"
#include "base/nearest.h"
#include "study/paper.h"

namespace divns::app {
namespace {

std::vector<std::string> paper_names() {
  std::vector<std::string> names;
  for (const PaperDataset& dataset : paper_datasets()) names.emplace_back(dataset.name);
  return names;
}

}  // namespace

void StudyVerb::declare_first() {
  options.add("data", data_folder, "prepared dataset");
  options.add("out", out, "folder of the study; where it holds this study already, it goes on")
      .alias("o");
  options.add("runs", runs, "folder of runs to share with other studies (default: runs in --out)");
  options.add("model", models, "recommenders to train").alias("models");
  options.add("seed", seed, "the first seed");
  options.add("jobs", jobs, "runs at the same time; the threads are shared out").range(1, 1024);
  options.add("checkpoint_seconds", checkpoint_seconds, "seconds from one checkpoint to the next")
      .range(0);
}

void StudyVerb::declare_paper() {
  options.add("paper", paper,
              fmt::format("start from the paper's hyper-parameters for this dataset: {}",
                          fmt::join(paper_names(), ", ")));
}

void StudyVerb::declare_last() {
  common.declare(options);
  setup_.declare(training_);
  constexpr std::array<std::string_view, 3> kOwn = {"model", "sampler", "seed"};
  options.include(training_, kOwn);
}

Dataset StudyVerb::open_data() const {
  if (data_folder.empty())
    fail("no dataset was given. Say --data FOLDER, as `divns data prepare` wrote it.");
  if (out.empty()) fail("no place for the study was given. Say --out FOLDER.");
  if (!paper.empty() && !is_paper_dataset(paper))
    fail("paper is '{}', but one of {} is expected.{}", paper, fmt::join(paper_names(), ", "),
         did_you_mean(paper, paper_names()));
  return Dataset::open(data_folder);
}

Settings StudyVerb::base_settings() const {
  Settings settings;
  for (const Option& option : options.all())
    if (option.source() > OptionSource::kPreset && training_.find(option.name()) != nullptr &&
        option.name() != "model" && option.name() != "seed")
      settings.push_back({option.name(), option.value()});
  return settings;
}

Settings StudyVerb::paper_settings_of(const std::string& model, const std::string& sampler) const {
  return paper.empty() ? Settings() : paper_settings(paper, model, sampler);
}

void StudyVerb::start_from_paper(std::vector<StudyRow>& rows) const {
  for (StudyRow& row : rows) {
    Settings settings = paper_settings_of(row.model, row.sampler);
    settings.insert(settings.end(), row.settings.begin(), row.settings.end());
    row.settings = std::move(settings);
  }
}

void StudyVerb::say_stopped() const {
  say(common, "stopped; the same command goes on from here: {}", out);
}

}  // namespace divns::app
