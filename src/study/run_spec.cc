// SPDX-License-Identifier: Apache-2.0
#include "study/run_spec.h"

#include <array>

#include "base/check.h"
#include "base/hash.h"
#include "divns/parallel.h"
#include "run/resolved_setup.h"

namespace divns {
namespace {

// Must change when the same settings mean a different run.
constexpr std::string_view kRunFormat = "divns-run 1";

// Samplers and losses reject invalid combinations of settings when they start, so this starts both
// on minimal data.
void hear_refusals(TrainingSetup& setup) {
  if (setup.is_fitted()) return;
  constexpr std::array<uint64_t, 3> kOffsets = {0, 1, 3};
  constexpr std::array<uint32_t, 3> kItems = {0, 1, 2};
  const TrainConfig& config = setup.config();
  const Executor alone(1);
  // Every id and group exists, so the files of a sampler are read but not judged.
  SideInputs inputs;
  inputs.find_user = [](std::string_view) { return 0U; };
  inputs.find_item = [](std::string_view) { return 3U; };
  if (!config.item_groups.empty()) inputs.item_groups = {{"all"}, std::vector<uint32_t>(4, 0)};
  const TrainerParts parts = setup.take_parts();
  parts.loss->start(config.loss_context({kOffsets, kItems, 4}, *parts.sampler));
  parts.sampler->start({.train = {kOffsets, kItems, 4},
                        .executor = alone,
                        .seed = config.seed,
                        .dim = static_cast<uint32_t>(config.embedding_dim),
                        .negatives = config.negatives,
                        .batch_size = 4,
                        .inputs = &inputs});
}

}  // namespace

Settings RunSpec::all_settings() const {
  Settings all = settings;
  all.push_back({"model", model});
  if (!sampler.empty()) all.push_back({"sampler", sampler});
  all.push_back({"seed", std::to_string(seed)});
  return all;
}

PlannedRun plan_run(const RunSpec& spec, std::string_view dataset_hash) {
  ResolvedSetup resolved(spec.all_settings());
  PlannedRun run{spec, resolved.config_text(), {}};
  hear_refusals(resolved.setup);
  run.id = hash128_hex(fmt::format("{}\n{}\n{}", kRunFormat, dataset_hash, run.config));
  return run;
}

}  // namespace divns
