// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "divns/vectors.h"

namespace divns {

using RowText = std::function<std::string_view(uint32_t)>;

// One line per row: the id, then the numbers with the fewest digits that give the same floats back,
// separated by tabs.
void write_tsv_vectors(const std::filesystem::path& path, const VectorTable& rows,
                       const RowText& id);

// word2vec's text format: a line with the number of rows and columns, then one line per row: the id
// and the numbers, with one blank between. Throws Error for an id that is empty or holds a blank.
void write_word2vec(const std::filesystem::path& path, const VectorTable& rows, const RowText& id);

// Lines for PostgreSQL's COPY in text format: id, title (\N where there is none), and the vector as
// pgvector reads it: [0.5,1,-2].
void write_pgvector(const std::filesystem::path& path, const VectorTable& rows, const RowText& id,
                    const RowText& title);
// Commands of psql that make the tables, load the files beside it, and build an index.
void write_pgvector_script(const std::filesystem::path& path, uint32_t dim);

}  // namespace divns
