// SPDX-License-Identifier: Apache-2.0
#include "divns/export.h"

#include <string>
#include <vector>

#include "base/check.h"
#include "base/escape.h"
#include "base/files.h"
#include "divns/table.h"
#include "io/model_file.h"
#include "recommend/formats/augment.h"
#include "recommend/formats/new_files.h"
#include "recommend/formats/onnx_file.h"
#include "recommend/formats/text_files.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::kNpy:
      return {"user_vectors.npy", "item_vectors.npy", "user_ids.txt", "item_ids.txt",
              "item_names.txt"};
    case ExportFormat::kText:
      return {"users.tsv", "items.tsv", "item_names.txt"};
    case ExportFormat::kSafetensors:
      return {std::string(kModelFileName)};
    case ExportFormat::kWord2vec:
      return {"users.txt", "items.txt", "item_names.txt"};
    case ExportFormat::kPgvector:
      return {"users.copy", "items.copy", "load.sql"};
    case ExportFormat::kOnnx:
      return {"model.onnx", "user_ids.txt", "item_ids.txt", "item_names.txt"};
  }
  return {};
}

struct Vectors {
  VectorTable users;
  VectorTable items;
};

void write_files(const TrainedModel& model, const Vectors& vectors, const fs::path& folder,
                 ExportFormat format) {
  const auto user_id = [&](uint32_t i) { return model.user_id(i); };
  const auto item_id = [&](uint32_t i) { return model.item_id(i); };
  switch (format) {
    case ExportFormat::kNpy:
      write_vectors_npy(folder / "user_vectors.npy", vectors.users);
      write_vectors_npy(folder / "item_vectors.npy", vectors.items);
      return write_names(folder, model);
    case ExportFormat::kText:
      write_tsv_vectors(folder / "users.tsv", vectors.users, user_id);
      write_tsv_vectors(folder / "items.tsv", vectors.items, item_id);
      return write_item_names(folder, model);
    case ExportFormat::kSafetensors:
      return;  // is not made of vectors
    case ExportFormat::kWord2vec:
      write_word2vec(folder / "users.txt", vectors.users, user_id);
      write_word2vec(folder / "items.txt", vectors.items, item_id);
      return write_item_names(folder, model);
    case ExportFormat::kPgvector:
      write_pgvector(folder / "users.copy", vectors.users, user_id,
                     [](uint32_t) { return std::string_view(); });
      write_pgvector(folder / "items.copy", vectors.items, item_id,
                     [&](uint32_t i) { return model.item_name(i); });
      return write_pgvector_script(folder / "load.sql", vectors.items.dim);
    case ExportFormat::kOnnx:
      write_onnx(folder / "model.onnx", vectors.users, vectors.items);
      return write_names(folder, model);
  }
}

}  // namespace

void export_vectors(const TrainedModel& model, const fs::path& folder,
                    const ExportOptions& options) {
  if (options.augment && options.format == ExportFormat::kSafetensors)
    fail("--augment goes with --format npy or text: the safetensors file is the model as it is.");
  if (options.format == ExportFormat::kSafetensors)
    return write_new_files(folder, files_of(options.format),
                           [&] { model.save(folder / kModelFileName); });
  Table wider_users;
  Table wider_items;
  Vectors vectors = {model.user_vectors(), model.item_vectors()};
  if (options.augment) {
    wider_users = augmented_users(vectors.users);
    wider_items = augmented_items(vectors.items);
    vectors = {wider_users.view(), wider_items.view()};
  }
  write_new_files(folder, files_of(options.format),
                  [&] { write_files(model, vectors, folder, options.format); });
}

}  // namespace divns
