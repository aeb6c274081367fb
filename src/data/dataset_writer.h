// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "data/id_list.h"
#include "data/slab_store.h"
#include "divns/parallel.h"
#include "divns/statistics.h"

namespace divns {

// What goes into a prepared folder (docs/formats.md).
struct PreparedContents {
  // Train, valid and test; slab k of each has the same users.
  std::span<const SlabStore, 3> parts;
  const IdList& user_ids;
  const IdList& item_ids;
  IdList item_names = {};                // one for each item, or none at all
  std::string recipe_json = {};          // how it was made
  Overlap overlap = Overlap::kPossible;  // between the parts
};

struct WrittenDataset {
  std::string hash;  // of the content
  DatasetStatistics statistics;
};

// Adds the binary files and dataset.json, with statistics for people, to a folder that is being
// staged; extra files already there (truth.bin) are hashed along.
WrittenDataset write_prepared(const StagedFolder& staging, const PreparedContents& contents,
                              const Executor& executor);

// What may be replaced in a folder that is named as an output: nothing where it is absent or empty,
// the files of a prepared dataset where `overwrite` is set. Anything else in it is an Error.
std::vector<std::string> replaceable_files(const std::filesystem::path& folder, bool overwrite);

}  // namespace divns
