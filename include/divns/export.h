// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "divns/model.h"

namespace divns {

enum class ExportFormat {
  kNpy,          // user_vectors.npy, item_vectors.npy, and one id or title per line in text files
  kText,         // users.tsv, items.tsv: the id, then the numbers, separated by tabs
  kSafetensors,  // model.safetensors, the model file as it is
  kWord2vec,     // users.txt, items.txt: word2vec's text format
  kPgvector,     // users.copy, items.copy for PostgreSQL's COPY, and load.sql
  kOnnx,         // model.onnx: from users to exact lists of items
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

enum class IndexKind {
  kHnsw,       // items.hnsw: an index of hnswlib
  kFaissFlat,  // items.faiss: faiss's IndexFlatIP, which searches exactly
  kFaissHnsw,  // items.faiss: faiss's IndexHNSWFlat
};

struct IndexOptions {
  IndexKind kind = IndexKind::kHnsw;
  uint32_t links = 16;             // M: links per item, twice as many on the lowest level
  uint32_t ef_construction = 200;  // items looked at for the links of a new one
  uint32_t ef = 64;                // items kept under way in a search, for the recall
  uint64_t seed = 1;               // of the levels of the items
  uint32_t k = 10;                 // length of the lists whose recall is measured
  uint32_t most_users = 1000;      // of them, for the recall
  int threads = 0;                 // for the exact lists
};

struct IndexReport {
  std::filesystem::path file;
  uint32_t columns = 0;
  uint32_t users = 0;  // whose lists were compared
  double recall = 0;   // share of the exact lists that the index finds
};

// Writes an index of the items for a library of nearest neighbours, the vectors of the users as
// queries, and the ids. The same model and options give the same bytes.
IndexReport export_index(const TrainedModel& model, const std::filesystem::path& folder,
                         const IndexOptions& options = {});

}  // namespace divns
