// SPDX-License-Identifier: Apache-2.0
#include "divns/dataset.h"

#include "bindings.h"

namespace divns::python {
namespace {

namespace fs = std::filesystem;

// One column of original ids: an int64 array, or a list of str that nobody else changes.
class IdColumn {
 public:
  explicit IdColumn(const nb::object& given) : owner_(given) {
    if (!nb::isinstance<nb::list>(given)) {
      numbers_ = nb::cast<Column<int64_t>>(given, false);
      return;
    }
    is_text_ = true;
    const auto list = nb::borrow<nb::list>(given);
    texts_.reserve(list.size());
    for (const nb::handle text : list) {
      Py_ssize_t size = 0;
      const char* utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
      if (utf8 == nullptr) throw nb::python_error();
      texts_.emplace_back(utf8, static_cast<size_t>(size));
    }
  }
  IdColumnView view() const {
    if (is_text_) return std::span<const std::string_view>(texts_);
    return span_of(numbers_);
  }

 private:
  nb::object owner_;
  bool is_text_ = false;
  std::vector<std::string_view> texts_;
  Column<int64_t> numbers_;
};

using Ratings = std::optional<Column<double>>;
using Times = std::optional<Column<int64_t>>;

// The columns of one part.
struct Pairs {
  IdColumn users;
  IdColumn items;
  Ratings ratings;
  Times times;

  explicit Pairs(const nb::tuple& columns)
      : users(columns[0]),
        items(columns[1]),
        ratings(nb::cast<Ratings>(columns[2], false)),
        times(nb::cast<Times>(columns[3], false)) {}
  PairColumns view() const {
    PairColumns columns{users.view(), items.view()};
    if (ratings) columns.ratings = span_of(*ratings);
    if (times) columns.times = span_of(*times);
    return columns;
  }
};

PrepareOptions prepare_options(const NamedValues& values) {
  PrepareOptions options;
  for (const auto& [name, text] : values) options.set(name, text);
  return options;
}

Dataset synthetic(const std::string& preset, const NamedValues& values, const fs::path& folder) {
  SynthOptions synth = synth_preset(preset);
  SplitOptions split;
  Options options;
  synth.declare(options);
  split.declare(options);
  apply(values, options);
  const nb::gil_scoped_release no_gil;
  return Dataset::synthetic(synth, split, folder);
}

// Offsets and items of a part, without copy.
nb::tuple part_of(const Interactions& part, nb::handle owner) {
  return nb::make_tuple(view_of(part.offsets, owner), view_of(part.items, owner));
}

template <class Id>
std::vector<std::string> all_ids(uint32_t count, Id&& id) {
  std::vector<std::string> ids(count);
  for (uint32_t n = 0; n < count; ++n) ids[n] = id(n);
  return ids;
}

}  // namespace

void bind_dataset(nb::module_& m) {
  using Self = nb::pointer_and_handle<Dataset>;
  using Test = Dataset::TestPart;
  nb::class_<Test>(m, "TestPart").def_prop_ro("pairs", [](nb::pointer_and_handle<Test> self) {
    return part_of(self.p->interactions(), self.h);
  });
  nb::class_<Dataset>(m, "Dataset")
      .def_static("open", &Dataset::open, nb::arg("folder"),
                  nb::call_guard<nb::gil_scoped_release>())
      .def_static(
          "prepare",
          [](const std::vector<std::string>& files, const NamedValues& values,
             const fs::path& folder) {
            const PrepareOptions options = prepare_options(values);
            const nb::gil_scoped_release no_gil;
            return Dataset::prepare(files, options, folder);
          },
          nb::arg("files"), nb::arg("options"), nb::arg("folder"))
      .def_static(
          "from_pairs",
          [](const nb::tuple& columns, const NamedValues& values, const fs::path& folder) {
            const Pairs pairs(columns);
            const PrepareOptions options = prepare_options(values);
            const nb::gil_scoped_release no_gil;
            return Dataset::from_pairs(pairs.view(), options, folder);
          },
          nb::arg("columns"), nb::arg("options"), nb::arg("folder"))
      .def_static(
          "from_parts",
          [](const nb::tuple& train, const nb::tuple& valid, const nb::tuple& test,
             const NamedValues& values, const fs::path& folder) {
            const Pairs parts[] = {Pairs(train), Pairs(valid), Pairs(test)};
            const PrepareOptions options = prepare_options(values);
            const nb::gil_scoped_release no_gil;
            return Dataset::from_parts(parts[0].view(), parts[1].view(), parts[2].view(), options,
                                       folder);
          },
          nb::arg("train"), nb::arg("valid"), nb::arg("test"), nb::arg("options"),
          nb::arg("folder"))
      .def_static("synthetic", &synthetic, nb::arg("preset"), nb::arg("options"), nb::arg("folder"))
      .def_prop_ro("users", &Dataset::users)
      .def_prop_ro("items", &Dataset::items)
      .def_prop_ro("hash", &Dataset::hash)
      .def_prop_ro("folder", &Dataset::folder)
      .def_prop_ro("recipe_json", &Dataset::recipe_json)
      .def_prop_ro("statistics_json", &Dataset::statistics_json)
      .def_prop_ro("train", [](Self self) { return part_of(self.p->train(), self.h); })
      .def_prop_ro("valid", [](Self self) { return part_of(self.p->valid(), self.h); })
      .def("open_test", &Dataset::open_test, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("user_ids",
                   [](const Dataset& data) {
                     return all_ids(data.users(), [&](uint32_t n) { return data.user_id(n); });
                   })
      .def_prop_ro("item_ids",
                   [](const Dataset& data) {
                     return all_ids(data.items(), [&](uint32_t n) { return data.item_id(n); });
                   })
      .def("find_user", &Dataset::find_user, nb::arg("id"))
      .def("find_item", &Dataset::find_item, nb::arg("id"));
}

}  // namespace divns::python
