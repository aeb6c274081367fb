// SPDX-License-Identifier: Apache-2.0
// What the files of the extension share. The extension is thin: it converts types, releases the GIL
// and calls the public headers. The Python files check and normalise what users pass.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "divns/error.h"
#include "divns/interactions.h"
#include "divns/options.h"
#include "divns/settings.h"
#include "divns/vectors.h"

namespace divns::python {

namespace nb = nanobind;

void bind_arrow(nb::module_& m);
void bind_catalog(nb::module_& m);
void bind_custom_loss(nb::module_& m);
void bind_custom_metric(nb::module_& m);
void bind_custom_sampler(nb::module_& m);
void bind_dataset(nb::module_& m);
void bind_dpp(nb::module_& m);
void bind_evaluate(nb::module_& m);
void bind_lists(nb::module_& m);
void bind_model(nb::module_& m);
void bind_sampler(nb::module_& m);
void bind_study(nb::module_& m);
void bind_train(nb::module_& m);

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using FloatRows = nb::ndarray<const float, nb::ndim<2>, nb::device::cpu>;

template <class T>
using NewColumn = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using NewMatrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

template <class T>
std::span<const T> span_of(const Column<T>& column) {
  return {column.data(), column.shape(0)};
}

// Option names with their values as text.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

inline void apply(const NamedValues& values, Options& options) {
  for (const auto& [name, text] : values) options.set(name, text, OptionSource::kFlag);
}

// Rows must be contiguous; the distance between rows is free.
inline VectorTable table_of(const FloatRows& rows) {
  const auto stride = rows.shape(0) > 1 ? rows.stride(0) : static_cast<int64_t>(rows.shape(1));
  if ((rows.shape(1) > 1 && rows.stride(1) != 1) || stride < static_cast<int64_t>(rows.shape(1)) ||
      stride > UINT32_MAX || rows.shape(0) > UINT32_MAX)
    throw Error("the vectors are not a row-major matrix of float32 that divns can read.");
  return {rows.data(), static_cast<uint32_t>(rows.shape(0)), static_cast<uint32_t>(rows.shape(1)),
          static_cast<uint32_t>(stride)};
}

// Compressed rows from Python. Checked here because the library trusts the offsets.
inline Interactions interactions_of(const Column<uint64_t>& offsets, const Column<uint32_t>& items,
                                    uint32_t item_count) {
  const Interactions pairs{span_of(offsets), span_of(items), item_count};
  bool valid = !pairs.offsets.empty() && pairs.offsets.front() == 0 &&
               pairs.offsets.back() == pairs.items.size();
  for (size_t u = 1; valid && u < pairs.offsets.size(); ++u)
    valid = pairs.offsets[u - 1] <= pairs.offsets[u];
  for (uint32_t u = 0; valid && u < pairs.users(); ++u) {
    const auto row = pairs.row(u);
    for (size_t n = 0; valid && n < row.size(); ++n)
      valid = row[n] < item_count && (n == 0 || row[n - 1] < row[n]);
  }
  if (!valid) throw Error("the pairs are not compressed rows of ascending item numbers.");
  return pairs;
}

// A NumPy array that owns the vector.
template <class T, class Array = NewColumn<T>>
Array array_of(std::vector<T>&& values, std::initializer_list<size_t> shape) {
  auto* owned = new std::vector<T>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array(owned->data(), shape, owner);
}

template <class T>
NewColumn<T> column_of(std::vector<T>&& values) {
  const size_t size = values.size();
  return array_of<T>(std::move(values), {size});
}

// A read-only array without copy; `owner` stays alive as long as the array.
template <class T>
NewColumn<const T> view_of(std::span<const T> values, nb::handle owner) {
  return NewColumn<const T>(values.data(), {values.size()}, owner);
}

inline NewMatrix<const float> view_of(const VectorTable& table, nb::handle owner) {
  return NewMatrix<const float>(table.data, {table.rows, table.dim}, owner,
                                {static_cast<int64_t>(table.stride), int64_t{1}});
}

// Ctrl-C that raised KeyboardInterrupt inside a sampler, a loss or a metric written in Python: the
// next Interrupts::check() on this thread counts it.
void note_interrupt();

// Notices Ctrl-C during work without the GIL. Python handles signals only when asked, on the main
// thread; elsewhere check() never reports any.
class Interrupts {
 public:
  // Cheap; asks Python at most every 50 ms. Returns whether Ctrl-C was pressed until now.
  bool check();
  // Ctrl-C that arrived while Python code ran.
  void add() { ++count_; }
  int count() const { return count_; }

 private:
  int64_t next_ns_ = 0;
  int count_ = 0;
};

}  // namespace divns::python
