// SPDX-License-Identifier: Apache-2.0
#include "divns/dpp.h"

#include "bindings.h"

namespace divns::python {
namespace {

nb::tuple select(const FloatRows& vectors, const Column<double>& quality, size_t k,
                 std::optional<uint64_t> seed, const NamedValues& values) {
  DppConfig config;
  Options options;
  config.declare(options);
  apply(values, options);
  DppSelection chosen;
  {
    const nb::gil_scoped_release no_gil;
    const VectorTable table = table_of(vectors);
    chosen = seed ? dpp_exact(table, span_of(quality), k, *seed, config)
                  : dpp_greedy(table, span_of(quality), k, config);
  }
  std::vector<int64_t> items(chosen.items.begin(), chosen.items.end());
  return nb::make_tuple(column_of(std::move(items)), column_of(std::move(chosen.gains)),
                        chosen.log_det);
}

}  // namespace

void bind_dpp(nb::module_& m) {
  // A draw of the k-DPP with a seed, the greedy choice without one.
  m.def("dpp_select", &select, nb::arg("vectors").noconvert(), nb::arg("quality").noconvert(),
        nb::arg("k"), nb::arg("seed").none(), nb::arg("options"));
  m.def(
      "dpp_penalty",
      [](const FloatRows& vectors, const FloatRows& against) {
        return column_of(dpp_penalty(table_of(vectors), table_of(against)));
      },
      nb::arg("vectors").noconvert(), nb::arg("against").noconvert());
}

}  // namespace divns::python
