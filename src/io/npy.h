// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files: one array of one or two dimensions, little-endian, row after row.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "divns/aligned.h"

namespace divns {

template <class T>
struct NpyArray {
  int dimensions = 2;  // 1 or 2
  size_t rows = 0;
  size_t columns = 1;  // 1 for a one-dimensional array
  AlignedVector<T> values;

  std::span<const T> row(size_t i) const { return std::span(values).subspan(i * columns, columns); }
};

// Reads float32 or float64 in C order, versions 1 to 3 of the format; the other width is converted.
// A damaged or foreign file is an Error that says what was found. T is float or double.
template <class T>
NpyArray<T> read_npy(const std::filesystem::path& path);
// The same for the bytes of a file; `name` is for messages.
template <class T>
NpyArray<T> parse_npy(std::string_view file, const std::string& name);

// Writes version 1.0. T is float, double, or a 32- or 64-bit integer.
template <class T>
void write_npy(const std::filesystem::path& path, std::span<const T> values);
// `rows` x `columns`; row i starts at values[i * stride], so padded tables are written as they lie.
template <class T>
void write_npy(const std::filesystem::path& path, std::span<const T> values, size_t rows,
               size_t columns, size_t stride);

}  // namespace divns
