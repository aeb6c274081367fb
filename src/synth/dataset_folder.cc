// SPDX-License-Identifier: Apache-2.0
#include "synth/dataset_folder.h"

#include "base/files.h"
#include "base/json.h"
#include "data/dataset_writer.h"
#include "divns/dataset.h"
#include "divns/statistics.h"
#include "synth/tsv.h"

namespace divns {
namespace {

IdList numbers_below(uint32_t end) {
  IdList ids;
  for (uint32_t id = 0; id < end; ++id) ids.push_back(std::to_string(id));
  return ids;
}

}  // namespace

SynthSplit split_synth(const SynthData& data, const SplitRequest& split, const Executor& executor) {
  Rows rows;
  rows.offsets = data.offsets;
  rows.items.assign(data.items.begin(), data.items.end());
  SlabStore pairs;
  pairs.add(std::move(rows), {data.times.begin(), data.times.end()});
  return {numbers_below(data.truth.users()), numbers_below(data.truth.items()),
          divide(pairs, split, executor)};
}

SynthReport write_synth_dataset(const SynthData& data, const std::string& recipe_json,
                                const std::filesystem::path& output, const SplitRequest& split,
                                bool overwrite, const Executor& executor) {
  StagedFolder staging(output, replaceable_files(output, overwrite));
  const SynthSplit cut = split_synth(data, split, executor);
  PreparedContents contents{cut.parts, cut.user_ids, cut.item_ids};
  contents.recipe_json = recipe_json;
  SynthReport report{
      cut.parts[kTrain].pairs(), cut.parts[kValid].pairs(), cut.parts[kTest].pairs(), {}, {}};
  contents.overlap = Overlap::kImpossible;
  write_synth_truth(AtomicFile(staging, kTruthFileName), data.truth);
  const WrittenDataset written = write_prepared(staging, contents, executor);
  report.hash = written.hash;
  report.statistics_json = statistics_json(written.statistics);
  staging.commit();
  return report;
}

SynthReport write_synthetic(const SynthOptions& options, const SplitOptions& split,
                            const std::filesystem::path& output, bool overwrite,
                            const Executor& executor) {
  replaceable_files(output, overwrite);  // refuses before the work begins
  SynthOptions synth = options;
  SplitOptions shares = split;
  Options table;
  synth.declare(table);
  shares.declare(table);
  Json recipe;
  for (const Option& option : table.all()) recipe["options"][option.name()] = option.value();
  return write_synth_dataset(generate_synth(options, executor), json_line(recipe), output,
                             split.request(options.seed), overwrite, executor);
}

uint64_t write_synthetic_tsv(const SynthOptions& options, const SynthTsvOptions& tsv,
                             const std::filesystem::path& path, const Executor& executor) {
  const SynthData data = generate_synth(options, executor);
  write_synth_tsv(path, data, tsv, options.seed);
  return data.items.size();
}

Dataset Dataset::synthetic(const SynthOptions& options, const SplitOptions& split,
                           const std::filesystem::path& folder) {
  return make(folder,
              [&](const std::filesystem::path& path) { write_synthetic(options, split, path); });
}

}  // namespace divns
