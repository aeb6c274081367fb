// SPDX-License-Identifier: Apache-2.0
#include "study/run_spec.h"

#include <array>

#include "base/check.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "study/resolved_setup.h"

namespace divns {
namespace {

// Changes when the same settings begin to mean another run.
constexpr std::string_view kRunFormat = "divns-run 1";

// Samplers refuse settings that do not go together when they start; let this one start on next to
// nothing.
void hear_refusals(TrainingSetup& setup) {
  if (setup.is_fitted()) return;
  constexpr std::array<uint64_t, 3> kOffsets = {0, 1, 3};
  constexpr std::array<uint32_t, 3> kItems = {0, 1, 2};
  const TrainConfig& config = setup.config();
  const Executor alone(1);
  setup.take_sampler()->start({.train = {kOffsets, kItems, 4},
                               .executor = alone,
                               .seed = config.seed,
                               .dim = static_cast<uint32_t>(config.embedding_dim),
                               .negatives = config.negatives,
                               .batch_size = 4});
}

}  // namespace

Setting parse_setting(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    fail("'{}' was given, but name=value is expected, as in l2=0.01.", text);
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::string to_string(const Setting& setting) {
  return setting.name + "=" + setting.value;
}

PlannedRun plan_run(const RunSpec& spec, std::string_view dataset_hash) {
  ResolvedSetup resolved(spec);
  PlannedRun run{spec, resolved.config_text(), {}};
  hear_refusals(resolved.setup);
  run.id = hash128_hex(fmt::format("{}\n{}\n{}", kRunFormat, dataset_hash, run.config));
  return run;
}

}  // namespace divns
