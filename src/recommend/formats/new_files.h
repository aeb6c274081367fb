// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "divns/model.h"

namespace divns {

// Makes the folder if need be and calls write(), which writes these files there. None may exist
// before: nothing in them says whose they are, so none is replaced. If write() throws, those that
// it wrote are removed.
void write_new_files(const std::filesystem::path& folder, const std::vector<std::string>& names,
                     const std::function<void()>& write);

// user_ids.txt, item_ids.txt and item_names.txt: line n, counted from 0, belongs to row n.
inline const std::vector<std::string> kNameFiles = {"user_ids.txt", "item_ids.txt",
                                                    "item_names.txt"};
void write_names(const std::filesystem::path& folder, const TrainedModel& model);
void write_item_names(const std::filesystem::path& folder, const TrainedModel& model);

// The columns of a table without its padding.
void write_vectors_npy(const std::filesystem::path& path, const VectorTable& table);

}  // namespace divns
