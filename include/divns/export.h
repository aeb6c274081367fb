// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "divns/model.h"

namespace divns {

enum class ExportFormat {
  kNpy,          // user_vectors.npy, item_vectors.npy, and one id or title per line in text files
  kText,         // users.tsv, items.tsv: the id, then the numbers, separated by tabs
  kSafetensors,  // model.safetensors, the model file as it is
};

struct ExportOptions {
  ExportFormat format = ExportFormat::kNpy;
  // Adds one column that turns a search by cosine into a search by inner product: items get
  // sqrt(M^2 - |v|^2), with M the largest |v|, and users get 0. All items then have length M.
  bool augment = false;
};

// Writes the vectors, ids and titles of a model to a folder for other programs.
void export_vectors(const TrainedModel& model, const std::filesystem::path& folder,
                    const ExportOptions& options = {});

}  // namespace divns
