// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <functional>
#include <string_view>

#include "base/check.h"
#include "base/files.h"
#include "base/table.h"
#include "divns/model.h"
#include "divns/verbs.h"
#include "io/model_file.h"
#include "io/npy.h"

namespace divns::app {
namespace {

namespace fs = std::filesystem;

enum class Format { kSafetensors, kNpy, kText };

// One more column that turns inner products into cosines, for indexes that know no inner product:
// items get sqrt(M^2 - |v|^2) with M the longest |v|, users 0. Then |v'| = M for every item, so the
// nearest item by angle is the one with the largest inner product.
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
    text += get(i);
    text += '\n';
  }
  return text;
}

void write_numpy(const fs::path& path, const VectorTable& table) {
  write_npy<float>(path, std::span(table.data, size_t{table.rows} * table.stride), table.rows,
                   table.dim, table.stride);
}

// One line a row: the id, then the numbers, with tabs between; shortest digits that give the same
// floats back.
void write_text(const fs::path& path, const VectorTable& table,
                const std::function<std::string_view(uint32_t)>& id) {
  AtomicFile file(path);
  fmt::memory_buffer text;
  for (uint32_t i = 0; i < table.rows; ++i) {
    fmt::format_to(std::back_inserter(text), "{}", id(i));
    for (uint32_t k = 0; k < table.dim; ++k)
      fmt::format_to(std::back_inserter(text), "\t{}", table.row(i)[k]);
    text.push_back('\n');
    if (text.size() < 1 << 20 && i + 1 < table.rows) continue;
    file.write(std::string_view(text.data(), text.size()));
    text.clear();
  }
  file.commit();
}

struct ExportVerb {
  CommonOptions common;
  std::string path;
  Format format = Format::kNpy;
  bool augment = false;
  std::string out;
  Options options;

  explicit ExportVerb(Command verb) {
    options.add_choice(
        "format", format,
        {{"safetensors", Format::kSafetensors}, {"npy", Format::kNpy}, {"text", Format::kText}},
        "how to write the vectors");
    options.add("out", out, "folder to write").alias("o");
    options.add("augment", augment,
                "add the column that lets an index for cosines find largest inner products");
    common.declare(options);
    verb.positional("run", path, "folder of a run, or a model file")
        .options(options)
        .example("divns export run --format npy --out vectors")
        .action([this] { run(); });
  }

  void run() const {
    if (out.empty()) fail("Name the folder to write to with --out.");
    if (augment && format == Format::kSafetensors)
      fail("--augment goes with --format npy or text: the safetensors file is the model as it is.");
    const TrainedModel model = TrainedModel::load(path);
    fs::create_directories(out);
    const fs::path folder = out;
    if (format == Format::kSafetensors) {
      const fs::path source =
          fs::is_directory(path) ? fs::path(path) / kModelFileName : fs::path(path);
      const MappedFile bytes(source);
      AtomicFile copy(folder / kModelFileName);
      copy.write(bytes.bytes());
      copy.commit();
    } else {
      const auto user_id = [&](uint32_t i) { return model.user_id(i); };
      const auto item_id = [&](uint32_t i) { return model.item_id(i); };
      Table wider_users;
      Table wider_items;
      VectorTable users = model.user_vectors();
      VectorTable items = model.item_vectors();
      if (augment) {
        wider_users = augmented(users, false);
        wider_items = augmented(items, true);
        users = wider_users.view();
        items = wider_items.view();
      }
      if (format == Format::kNpy) {
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
    say(common, "{} users and {} items of {} columns written to {}", model.users(), model.items(),
        model.item_vectors().dim, out);
  }
};

}  // namespace

void add_export_verb(Command root) {
  install<ExportVerb>(root.add_verb("export", "vectors for other programs"));
}

}  // namespace divns::app
