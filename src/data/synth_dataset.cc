// SPDX-License-Identifier: Apache-2.0
#include "data/synth_dataset.h"

#include "base/files.h"
#include "data/prepared.h"
#include "data/statistics.h"

namespace divns {
namespace {

PairList pairs_of(const SynthData& data) {
  PairList pairs;
  pairs.rows.offsets = data.offsets;
  pairs.rows.items.assign(data.items.begin(), data.items.end());
  pairs.times.assign(data.times.begin(), data.times.end());
  for (uint32_t user = 0; user < data.truth.users(); ++user)
    pairs.user_ids.push_back(std::to_string(user));
  for (uint32_t item = 0; item < data.truth.items(); ++item)
    pairs.item_ids.push_back(std::to_string(item));
  return pairs;
}

}  // namespace

SynthSplit split_synth(const SynthData& data, const SplitRequest& split, const Executor& executor) {
  SynthSplit result{pairs_of(data), {}};
  result.parts =
      rows_by_part(result.pairs.rows, split_pairs(result.pairs, split, executor), executor);
  return result;
}

SynthDatasetReport write_synth_dataset(const SynthData& data, const std::string& recipe_json,
                                       const std::filesystem::path& output,
                                       const SplitRequest& split, bool overwrite,
                                       const Executor& executor) {
  require_replaceable(output, overwrite);
  const SynthSplit cut = split_synth(data, split, executor);
  PreparedContents contents;
  contents.train = cut.part(kTrain);
  contents.valid = cut.part(kValid);
  contents.test = cut.part(kTest);
  contents.user_ids = cut.pairs.user_ids;
  contents.item_ids = cut.pairs.item_ids;
  contents.recipe_json = recipe_json;
  SynthDatasetReport report{
      contents.train.pairs(), contents.valid.pairs(), contents.test.pairs(), {}, {}};
  contents.overlap = Overlap::kImpossible;
  StagedFolder staging(output, true);
  write_synth_truth(staging.path() / kTruthFileName, data.truth, Sync::kWithFolder);
  const WrittenDataset written = write_prepared(staging, contents, executor);
  report.hash = written.hash;
  report.statistics_json = statistics_json(written.statistics);
  staging.commit();
  return report;
}

}  // namespace divns
