// SPDX-License-Identifier: Apache-2.0
#include "recommend/formats/index_files.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/files.h"
#include "divns/interactions.h"

namespace divns {
namespace {

// Fields are collected in memory and written in pieces.
class FieldWriter {
 public:
  explicit FieldWriter(const std::filesystem::path& path) : file_(path, Target::kNew) {}

  template <class T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    append(std::as_bytes(std::span(&value, 1)));
  }
  void put_text(std::string_view text) { append(std::as_bytes(std::span(text))); }
  void put_floats(const float* values, size_t count) {
    append(std::as_bytes(std::span(values, count)));
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  void append(std::span<const std::byte> bytes) {
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
    if (pending_.size() > 1 << 20) flush();
  }
  void flush() {
    file_.write(pending_);
    pending_.clear();
  }

  AtomicFile file_;
  std::vector<std::byte> pending_;
};

// A list of links as hnswlib keeps it: the number as 16 bits, 16 bits of flags, then all places.
void put_hnswlib_links(std::span<const uint32_t> places, FieldWriter& out) {
  const auto end = std::find(places.begin(), places.end(), kNoItem);
  out.put(static_cast<uint16_t>(end - places.begin()));
  out.put(uint16_t{0});
  for (const uint32_t row : places) out.put(row == kNoItem ? 0U : row);
}

// What every index of faiss begins with.
void put_faiss_head(std::string_view kind, uint32_t dim, uint32_t rows, FieldWriter& out) {
  constexpr int64_t kUnused = 1 << 20;
  constexpr int32_t kInnerProduct = 0;
  out.put_text(kind);
  out.put(static_cast<int32_t>(dim));
  out.put(int64_t{rows});
  out.put(kUnused);
  out.put(kUnused);
  out.put(uint8_t{1});  // it is trained
  out.put(kInnerProduct);
}

void put_faiss_flat(const VectorTable& rows, FieldWriter& out) {
  put_faiss_head("IxFI", rows.dim, rows.rows, out);
  out.put(uint64_t{rows.rows} * rows.dim);
  for (uint32_t row = 0; row < rows.rows; ++row) out.put_floats(rows.row(row), rows.dim);
}

}  // namespace

void write_hnswlib(const std::filesystem::path& path, const HnswGraph& graph) {
  FieldWriter out(path);
  const uint64_t link_bytes = 4 + 4 * uint64_t{graph.slots(0)};
  const uint64_t vector_bytes = 4 * uint64_t{graph.dim()};
  out.put(uint64_t{0});                              // offset of the links in an element
  out.put(uint64_t{graph.rows()});                   // largest number of elements
  out.put(uint64_t{graph.rows()});                   // number of elements
  out.put(link_bytes + vector_bytes + 8);            // bytes per element
  out.put(link_bytes + vector_bytes);                // offset of the label
  out.put(link_bytes);                               // offset of the vector
  out.put(static_cast<int32_t>(graph.top_level()));  // highest level
  out.put(graph.entry());
  out.put(uint64_t{graph.slots(1)});  // links on the upper levels
  out.put(uint64_t{graph.slots(0)});  // links on level 0
  out.put(uint64_t{graph.options().m});
  out.put(1 / std::log(static_cast<double>(graph.options().m)));
  out.put(uint64_t{graph.options().ef_construction});
  for (uint32_t row = 0; row < graph.rows(); ++row) {
    put_hnswlib_links(graph.places(row, 0), out);
    out.put_floats(graph.row(row), graph.dim());
    out.put(uint64_t{row});  // label
  }
  for (uint32_t row = 0; row < graph.rows(); ++row) {
    out.put(graph.level(row) * (4 + 4 * graph.slots(1)));  // bytes of the links of the upper levels
    for (uint32_t level = 1; level <= graph.level(row); ++level)
      put_hnswlib_links(graph.places(row, level), out);
  }
  out.commit();
}

void write_faiss_flat(const std::filesystem::path& path, const VectorTable& rows) {
  FieldWriter out(path);
  put_faiss_flat(rows, out);
  out.commit();
}

void write_faiss_hnsw(const std::filesystem::path& path, const HnswGraph& graph, uint32_t ef) {
  FieldWriter out(path);
  put_faiss_head("IHNf", graph.dim(), graph.rows(), out);
  const uint32_t levels = graph.top_level() + 1;
  const double scale = 1 / std::log(static_cast<double>(graph.options().m));
  out.put(uint64_t{levels});  // chance of each level
  for (uint32_t level = 0; level < levels; ++level)
    out.put(std::exp(-(level / scale)) * (1 - std::exp(-1 / scale)));
  out.put(uint64_t{levels} + 1);  // places of a row below each level
  for (uint32_t level = 0; level <= levels; ++level)
    out.put(static_cast<int32_t>(level == 0 ? 0 : graph.slots(0) + (level - 1) * graph.slots(1)));
  out.put(uint64_t{graph.rows()});  // number of levels of each row
  for (uint32_t row = 0; row < graph.rows(); ++row)
    out.put(static_cast<int32_t>(graph.level(row) + 1));
  out.put(uint64_t{graph.offsets().size()});  // where the places of a row begin
  for (const uint64_t offset : graph.offsets()) out.put(offset);
  out.put(uint64_t{graph.all_places().size()});  // links, -1 in an empty place
  for (const uint32_t row : graph.all_places()) out.put(row);
  out.put(static_cast<int32_t>(graph.entry()));
  out.put(static_cast<int32_t>(graph.top_level()));
  out.put(static_cast<int32_t>(graph.options().ef_construction));
  out.put(static_cast<int32_t>(ef));
  out.put(int32_t{1});  // a field that faiss no longer uses
  std::vector<float> vectors(size_t{graph.rows()} * graph.dim());
  for (uint32_t row = 0; row < graph.rows(); ++row)
    std::copy_n(graph.row(row), graph.dim(), &vectors[size_t{row} * graph.dim()]);
  put_faiss_flat({vectors.data(), graph.rows(), graph.dim(), graph.dim()}, out);
  out.commit();
}

}  // namespace divns
