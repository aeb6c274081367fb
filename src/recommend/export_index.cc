// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <optional>

#include "base/check.h"
#include "base/files.h"
#include "base/json.h"
#include "divns/export.h"
#include "divns/recommend.h"
#include "divns/table.h"
#include "recommend/formats/augment.h"
#include "recommend/formats/hnsw.h"
#include "recommend/formats/index_files.h"
#include "recommend/formats/new_files.h"

namespace divns {
namespace fs = std::filesystem;
namespace {

// Users whose lists are compared, spread evenly over all.
std::vector<uint32_t> compared_users(uint32_t users, uint32_t most) {
  std::vector<uint32_t> rows(std::min(users, most));
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<uint32_t>(uint64_t{users} * i / rows.size());
  return rows;
}

// Share of the exact lists that a search in the graph finds.
double recall_of(const HnswGraph& graph, const VectorTable& users, const TrainedModel& model,
                 std::span<const uint32_t> rows, const IndexOptions& options) {
  const TopItems exact = recommend(model.user_vectors(), rows, model.item_vectors(),
                                   {.k = options.k, .threads = options.threads});
  size_t wanted = 0;
  size_t found = 0;
  for (size_t n = 0; n < rows.size(); ++n) {
    std::vector<uint32_t> list = graph.search(users.row(rows[n]), options.k, options.ef);
    std::sort(list.begin(), list.end());
    for (const uint32_t item : exact.items_of(n)) {
      ++wanted;
      if (std::binary_search(list.begin(), list.end(), item)) ++found;
    }
  }
  return wanted == 0 ? 1 : static_cast<double>(found) / static_cast<double>(wanted);
}

// What a program needs to know to open the index.
Json description(const IndexOptions& options, const IndexReport& report) {
  Json json = {{"library", options.kind == IndexKind::kHnsw ? "hnswlib" : "faiss"},
               {"file", report.file.filename().string()},
               {"metric", "inner product"},
               {"columns", report.columns}};
  if (options.kind != IndexKind::kFaissFlat) {
    json["links"] = options.links;
    json["ef_construction"] = options.ef_construction;
    json["ef"] = options.ef;
    json["seed"] = options.seed;
  }
  json["recall"] = {{"k", options.k}, {"users", report.users}, {"value", report.recall}};
  return json;
}

}  // namespace

IndexReport export_index(const TrainedModel& model, const fs::path& folder,
                         const IndexOptions& options) {
  if (model.items() == 0 || model.users() == 0)
    fail("A model without users or items has no index.");
  const bool exact = options.kind == IndexKind::kFaissFlat;
  const char* name = options.kind == IndexKind::kHnsw ? "items.hnsw" : "items.faiss";
  const Table items = padded_copy(model.item_vectors());
  const Table users = padded_copy(model.user_vectors());
  const std::vector<uint32_t> rows = compared_users(users.rows(), options.most_users);
  IndexReport report = {folder / name, items.dim(), static_cast<uint32_t>(rows.size()), 1};
  std::optional<HnswGraph> graph;
  if (!exact) {
    graph.emplace(items.view(), HnswOptions{options.links, options.ef_construction, options.seed});
    report.recall = recall_of(*graph, users.view(), model, rows, options);
  }
  std::vector<std::string> names = kNameFiles;
  names.insert(names.end(), {name, "user_vectors.npy", "index.json"});
  write_new_files(folder, names, [&] {
    if (exact)
      write_faiss_flat(report.file, items.view());
    else if (options.kind == IndexKind::kHnsw)
      write_hnswlib(report.file, *graph);
    else
      write_faiss_hnsw(report.file, *graph, options.ef);
    write_vectors_npy(folder / "user_vectors.npy", users.view());
    write_names(folder, model);
    write_file_atomically(folder / "index.json", json_text(description(options, report)) + "\n");
  });
  return report;
}

}  // namespace divns
