// SPDX-License-Identifier: Apache-2.0
#include "divns/export.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/check.h"
#include "base/escape.h"
#include "base/files.h"
#include "divns/table.h"
#include "io/model_file.h"
#include "io/npy.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

// The table with the column of ExportOptions::augment.
Table augmented(const VectorTable& table, bool of_items) {
  std::vector<double> squares(table.rows, 0.0);
  double longest = 0;
  for (uint32_t i = 0; i < table.rows; ++i) {
    for (uint32_t k = 0; k < table.dim; ++k)
      squares[i] += static_cast<double>(table.row(i)[k]) * table.row(i)[k];
    longest = std::max(longest, squares[i]);
  }
  Table wider(table.rows, table.dim + 1);
  for (uint32_t i = 0; i < table.rows; ++i) {
    std::copy_n(table.row(i), table.dim, wider.row(i));
    if (of_items) wider.row(i)[table.dim] = static_cast<float>(std::sqrt(longest - squares[i]));
  }
  return wider;
}

std::string lines(uint32_t count, const std::function<std::string_view(uint32_t)>& get) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) {
    text += escape_tsv(get(i));
    text += '\n';
  }
  return text;
}

void write_numpy(const fs::path& path, const VectorTable& table) {
  write_npy<float>(path, std::span(table.data, size_t{table.rows} * table.stride), table.rows,
                   table.dim, table.stride);
}

// One line per row: the id, then the numbers with the fewest digits that give the same floats back.
void write_text(const fs::path& path, const VectorTable& table,
                const std::function<std::string_view(uint32_t)>& id) {
  AtomicFile file(path);
  fmt::memory_buffer text;
  for (uint32_t i = 0; i < table.rows; ++i) {
    fmt::format_to(std::back_inserter(text), "{}", escape_tsv(id(i)));
    for (uint32_t k = 0; k < table.dim; ++k)
      fmt::format_to(std::back_inserter(text), "\t{}", table.row(i)[k]);
    text.push_back('\n');
    if (text.size() < 1 << 20 && i + 1 < table.rows) continue;
    file.write(std::string_view(text.data(), text.size()));
    text.clear();
  }
  file.commit();
}

std::vector<fs::path> files_of(const fs::path& folder, ExportFormat format) {
  switch (format) {
    case ExportFormat::kNpy:
      return {folder / "user_vectors.npy", folder / "item_vectors.npy", folder / "user_ids.txt",
              folder / "item_ids.txt", folder / "item_names.txt"};
    case ExportFormat::kText:
      return {folder / "users.tsv", folder / "items.tsv", folder / "item_names.txt"};
    case ExportFormat::kSafetensors:
      return {folder / kModelFileName};
  }
  return {};
}

void write_files(const TrainedModel& model, const fs::path& folder, const ExportOptions& options) {
  if (options.format == ExportFormat::kSafetensors) return model.save(folder / kModelFileName);
  const auto user_id = [&](uint32_t i) { return model.user_id(i); };
  const auto item_id = [&](uint32_t i) { return model.item_id(i); };
  Table wider_users;
  Table wider_items;
  VectorTable users = model.user_vectors();
  VectorTable items = model.item_vectors();
  if (options.augment) {
    wider_users = augmented(users, false);
    wider_items = augmented(items, true);
    users = wider_users.view();
    items = wider_items.view();
  }
  if (options.format == ExportFormat::kNpy) {
    write_numpy(folder / "user_vectors.npy", users);
    write_numpy(folder / "item_vectors.npy", items);
    write_file_atomically(folder / "user_ids.txt", lines(model.users(), user_id));
    write_file_atomically(folder / "item_ids.txt", lines(model.items(), item_id));
  } else {
    write_text(folder / "users.tsv", users, user_id);
    write_text(folder / "items.tsv", items, item_id);
  }
  write_file_atomically(folder / "item_names.txt",
                        lines(model.items(), [&](uint32_t i) { return model.item_name(i); }));
}

}  // namespace

void export_vectors(const TrainedModel& model, const fs::path& folder,
                    const ExportOptions& options) {
  if (options.augment && options.format == ExportFormat::kSafetensors)
    fail("--augment goes with --format npy or text: the safetensors file is the model as it is.");
  make_folder(folder);
  const std::vector<fs::path> files = files_of(folder, options.format);
  std::error_code error;
  // Nothing in these files says whose they are, so none is replaced.
  for (const fs::path& file : files)
    if (fs::exists(fs::symlink_status(file, error)))
      fail("{} exists already; choose another folder, or remove it first.", file.string());
  try {
    write_files(model, folder, options);
  } catch (...) {
    for (const fs::path& file : files) fs::remove(file, error);
    throw;
  }
}

}  // namespace divns
