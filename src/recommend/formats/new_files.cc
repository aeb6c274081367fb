// SPDX-License-Identifier: Apache-2.0
#include "recommend/formats/new_files.h"

#include <string_view>
#include <system_error>

#include "base/check.h"
#include "base/escape.h"
#include "base/files.h"
#include "io/npy.h"

namespace divns {
namespace fs = std::filesystem;
namespace {

std::string lines_of(uint32_t count, const std::function<std::string_view(uint32_t)>& get) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) {
    text += escape_tsv(get(i));
    text += '\n';
  }
  return text;
}

}  // namespace

void write_new_files(const fs::path& folder, const std::vector<std::string>& names,
                     const std::function<void()>& write) {
  make_folder(folder);
  std::error_code error;
  for (const std::string& name : names)
    if (fs::exists(fs::symlink_status(folder / name, error)))
      fail("{} exists already; choose another folder, or remove it first.",
           (folder / name).string());
  try {
    write();
  } catch (...) {
    for (const std::string& name : names) fs::remove(folder / name, error);
    throw;
  }
}

void write_item_names(const fs::path& folder, const TrainedModel& model) {
  write_file_atomically(folder / "item_names.txt",
                        lines_of(model.items(), [&](uint32_t i) { return model.item_name(i); }));
}

void write_names(const fs::path& folder, const TrainedModel& model) {
  write_file_atomically(folder / "user_ids.txt",
                        lines_of(model.users(), [&](uint32_t i) { return model.user_id(i); }));
  write_file_atomically(folder / "item_ids.txt",
                        lines_of(model.items(), [&](uint32_t i) { return model.item_id(i); }));
  write_item_names(folder, model);
}

void write_vectors_npy(const fs::path& path, const VectorTable& table) {
  write_npy<float>(path, std::span(table.data, size_t{table.rows} * table.stride), table.rows,
                   table.dim, table.stride);
}

}  // namespace divns
