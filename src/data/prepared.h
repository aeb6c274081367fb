// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/files.h"
#include "base/parallel.h"
#include "data/statistics.h"
#include "divns/interactions.h"

namespace divns {

// What goes into a prepared folder (docs/dataset-format.md).
struct PreparedContents {
  Interactions train, valid, test;
  std::span<const std::string> user_ids;
  std::span<const std::string> item_ids;
  std::span<const std::string> item_names;  // one for each item, or none at all
  std::string recipe_json;                  // how it was made
  Overlap overlap = Overlap::kPossible;     // between the parts
};

struct WrittenDataset {
  std::string hash;  // of the content
  DatasetStatistics statistics;
};

// Adds the binary files and dataset.json, with statistics for people, to a folder that is being
// staged; extra files already there (truth.bin) are hashed along.
WrittenDataset write_prepared(const StagedFolder& staging, const PreparedContents& contents,
                              const Executor& executor);

// Whether a folder may be taken for an output: absent, empty, or a prepared dataset that may be
// replaced.
void require_replaceable(const std::filesystem::path& folder, bool overwrite);

}  // namespace divns
