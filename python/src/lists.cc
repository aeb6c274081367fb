// SPDX-License-Identifier: Apache-2.0
// Metrics of ranked lists that somebody else made.
#include <algorithm>

#include "bindings.h"
#include "divns/dataset.h"
#include "divns/metric.h"
#include "divns/parallel.h"

namespace divns::python {
namespace {

using ListMatrix = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Ranks, from 0, of the relevant items in a list that ends at its first negative number.
std::vector<uint32_t> ranks_of(std::span<const int32_t> list, std::span<const uint32_t> relevant) {
  std::vector<uint32_t> ranks;
  for (uint32_t place = 0; place < list.size() && list[place] >= 0; ++place)
    if (std::binary_search(relevant.begin(), relevant.end(), static_cast<uint32_t>(list[place])))
      ranks.push_back(place);
  return ranks;
}

const MetricEntry& metric_named(const std::string& name) {
  for (const MetricEntry& metric : metrics())
    if (metric.name == name) return metric;
  check_metric(name + "@1");  // throws, with the nearest known name
  throw Error("there is no metric '" + name + "'.");
}

double value_at(const MetricEntry& metric, std::span<const uint32_t> ranks, size_t relevant,
                uint32_t cutoff) {
  const auto end = std::lower_bound(ranks.begin(), ranks.end(), cutoff);
  return metric.value({ranks.first(static_cast<size_t>(end - ranks.begin())), relevant, cutoff});
}

double metric_of_list(const std::string& name, const Column<int32_t>& list,
                      const Column<uint32_t>& relevant, uint32_t cutoff) {
  const auto wanted = span_of(relevant);
  return value_at(metric_named(name), ranks_of(span_of(list), wanted), wanted.size(), cutoff);
}

// (columns, users, values): values is columns x users; every user who has a relevant item.
nb::tuple evaluate_lists(const ListMatrix& lists, const Column<uint64_t>& offsets,
                         const Column<uint32_t>& items, uint32_t item_count,
                         const std::vector<uint32_t>& cutoffs) {
  const Interactions relevant = interactions_of(offsets, items, item_count);
  if (lists.shape(0) != relevant.users())
    throw Error("there are " + std::to_string(lists.shape(0)) + " lists for " +
                std::to_string(relevant.users()) + " users; give one per user of the dataset.");
  std::vector<std::string> columns;
  for (const MetricEntry& metric : metrics())
    for (const uint32_t cutoff : cutoffs)
      columns.push_back(metric.name + "@" + std::to_string(cutoff));
  std::vector<uint32_t> users;
  for (uint32_t user = 0; user < relevant.users(); ++user)
    if (!relevant.row(user).empty()) users.push_back(user);
  std::vector<float> values(columns.size() * users.size());
  {
    const nb::gil_scoped_release no_gil;
    for (size_t n = 0; n < users.size(); ++n) {
      const auto wanted = relevant.row(users[n]);
      const auto ranks =
          ranks_of({lists.data() + users[n] * lists.shape(1), lists.shape(1)}, wanted);
      size_t column = 0;
      for (const MetricEntry& metric : metrics())
        for (const uint32_t cutoff : cutoffs)
          values[column++ * users.size() + n] =
              static_cast<float>(value_at(metric, ranks, wanted.size(), cutoff));
    }
  }
  const size_t rows = columns.size(), width = users.size();
  return nb::make_tuple(std::move(columns), column_of(std::move(users)),
                        array_of<float, NewMatrix<float>>(std::move(values), {rows, width}));
}

}  // namespace

void bind_lists(nb::module_& m) {
  m.def("metric_of_list", &metric_of_list, nb::arg("name"), nb::arg("items").noconvert(),
        nb::arg("relevant").noconvert(), nb::arg("cutoff"));
  m.def("evaluate_lists", &evaluate_lists, nb::arg("lists").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("items").noconvert(), nb::arg("item_count"),
        nb::arg("cutoffs"));
}

}  // namespace divns::python
