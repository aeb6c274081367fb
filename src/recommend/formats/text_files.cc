// SPDX-License-Identifier: Apache-2.0
#include "recommend/formats/text_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.h"
#include "base/escape.h"
#include "base/files.h"

namespace divns {
namespace {

// Calls line(row, text) for every row and writes the text in pieces of a megabyte.
template <class Line>
void write_rows(AtomicFile& file, uint32_t rows, Line&& line) {
  fmt::memory_buffer text;
  for (uint32_t row = 0; row < rows; ++row) {
    line(row, text);
    text.push_back('\n');
    if (text.size() < 1 << 20 && row + 1 < rows) continue;
    file.write(std::string_view(text.data(), text.size()));
    text.clear();
  }
  file.commit();
}

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

void write_tsv_vectors(const std::filesystem::path& path, const VectorTable& rows,
                       const RowText& id) {
  AtomicFile file(path);
  write_rows(file, rows.rows, [&](uint32_t row, fmt::memory_buffer& text) {
    text.append(escape_tsv(id(row)));
    for (uint32_t k = 0; k < rows.dim; ++k)
      fmt::format_to(std::back_inserter(text), "\t{}", rows.row(row)[k]);
  });
}

void write_word2vec(const std::filesystem::path& path, const VectorTable& rows, const RowText& id) {
  AtomicFile file(path, Target::kNew);
  file.write(fmt::format("{} {}\n", rows.rows, rows.dim));
  write_rows(file, rows.rows, [&](uint32_t row, fmt::memory_buffer& text) {
    const std::string_view name = id(row);
    if (name.empty() || std::any_of(name.begin(), name.end(), is_blank))
      fail(
          "the id '{}' is empty or holds a blank, which word2vec's format cannot carry; use "
          "--format text.",
          name);
    text.append(name);
    for (uint32_t k = 0; k < rows.dim; ++k)
      fmt::format_to(std::back_inserter(text), " {}", rows.row(row)[k]);
  });
}

void write_pgvector(const std::filesystem::path& path, const VectorTable& rows, const RowText& id,
                    const RowText& title) {
  AtomicFile file(path, Target::kNew);
  write_rows(file, rows.rows, [&](uint32_t row, fmt::memory_buffer& text) {
    fmt::format_to(std::back_inserter(text), "{}\t{}\t[{}]", escape_tsv(id(row)),
                   title(row).empty() ? "\\N" : escape_tsv(title(row)),
                   fmt::join(rows.row(row), rows.row(row) + rows.dim, ","));
  });
}

void write_pgvector_script(const std::filesystem::path& path, uint32_t dim) {
  AtomicFile file(path, Target::kNew);
  file.write(fmt::format(R"(-- psql DATABASE -f load.sql, in the folder of the files
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE users (id text PRIMARY KEY, title text, embedding vector({0}) NOT NULL);
CREATE TABLE items (id text PRIMARY KEY, title text, embedding vector({0}) NOT NULL);
\copy users FROM 'users.copy'
\copy items FROM 'items.copy'
CREATE INDEX ON items USING hnsw (embedding vector_ip_ops);
-- The ten best items of user 42; <#> is the negative inner product.
-- SELECT items.id, items.title FROM items, users WHERE users.id = '42'
--   ORDER BY items.embedding <#> users.embedding LIMIT 10;
)",
                         dim));
  file.commit();
}

}  // namespace divns
