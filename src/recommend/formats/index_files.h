// SPDX-License-Identifier: Apache-2.0
// The files of two libraries for nearest neighbours, field by field. All numbers are little-endian,
// without padding between fields.
#pragma once

#include <filesystem>

#include "divns/vectors.h"
#include "recommend/formats/hnsw.h"

namespace divns {

// hnswlib's index of its versions 0.4 and later, for space "ip". The label of a row is its number.
void write_hnswlib(const std::filesystem::path& path, const HnswGraph& graph);

// faiss's IndexFlatIP.
void write_faiss_flat(const std::filesystem::path& path, const VectorTable& rows);

// faiss's IndexHNSWFlat with the metric inner product.
void write_faiss_hnsw(const std::filesystem::path& path, const HnswGraph& graph, uint32_t ef);

}  // namespace divns
