// SPDX-License-Identifier: Apache-2.0
#include "divns/study_verb.h"

#include <array>

#include "base/check.h"

namespace divns::app {

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

void StudyVerb::say_stopped() const {
  say(common, "stopped; the same command goes on from here: {}", out);
}

}  // namespace divns::app
