// SPDX-License-Identifier: Apache-2.0
// Trained models, and what is done with vectors: recommend, similar rows, fold-in.
#include "divns/model.h"

#include "bindings.h"
#include "divns/recommend.h"
#include "results.h"

namespace divns::python {

nb::tuple list_arrays(TopItems&& top, size_t rows) {
  std::vector<int32_t> numbers(top.items.begin(), top.items.end());
  for (size_t n = 0; n < numbers.size(); ++n) {
    if (top.items[n] != kNoItem) continue;
    numbers[n] = -1;
    top.scores[n] = -std::numeric_limits<float>::infinity();
  }
  return nb::make_tuple(array_of<int32_t, NewMatrix<int32_t>>(std::move(numbers), {rows, top.k}),
                        array_of<float, NewMatrix<float>>(std::move(top.scores), {rows, top.k}));
}

namespace {

using OptionalItems = std::optional<Column<uint32_t>>;
using OptionalOffsets = std::optional<Column<uint64_t>>;

nb::tuple recommend_rows(const FloatRows& users, const Column<uint32_t>& rows,
                         const FloatRows& items, uint32_t k, const OptionalOffsets& seen_offsets,
                         const OptionalItems& seen_items, const OptionalItems& allowed,
                         const OptionalItems& denied, int threads) {
  const VectorTable item_table = table_of(items);
  RecommendOptions options;
  options.k = k;
  options.threads = threads;
  if (allowed) options.allowed.emplace(allowed->data(), allowed->data() + allowed->shape(0));
  if (denied) options.denied.assign(denied->data(), denied->data() + denied->shape(0));
  TopItems top;
  {
    const nb::gil_scoped_release no_gil;
    if (seen_offsets && seen_items)
      options.seen = interactions_of(*seen_offsets, *seen_items, item_table.rows);
    top = recommend(table_of(users), span_of(rows), item_table, options);
  }
  return list_arrays(std::move(top), rows.shape(0));
}

nb::tuple similar_rows(const FloatRows& vectors, const Column<uint32_t>& rows, uint32_t k,
                       bool cosine, int threads) {
  TopItems top;
  {
    const nb::gil_scoped_release no_gil;
    top = similar(table_of(vectors), span_of(rows), k,
                  cosine ? Similarity::kCosine : Similarity::kDot, threads);
  }
  return list_arrays(std::move(top), rows.shape(0));
}

NewMatrix<float> fold_in_rows(const FloatRows& items, const Column<uint64_t>& offsets,
                              const Column<uint32_t>& histories, const std::string& method,
                              const NamedValues& values, int threads) {
  FoldInOptions fold;
  fold.threads = threads;
  Options options;
  options.add_choice(
      "method", fold.method,
      {{"ridge", FoldInOptions::Method::kRidge}, {"gradient", FoldInOptions::Method::kGradient}},
      "how a new user gets a vector");
  options.add("ridge", fold.ridge, "weight of the squared norm of the vector").above(0);
  options.add("unobserved", fold.unobserved, "weight of all items with target score 0").range(0);
  options.add("steps", fold.steps, "passes over the history").range(0, 1e6);
  options.add("learning_rate", fold.learning_rate, "learning rate").above(0);
  options.add("l2", fold.l2, "weight of the squared norm of the vector").range(0);
  options.add("seed", fold.seed, "seed of the negatives");
  options.set("method", method, OptionSource::kFlag);
  apply(values, options);
  const VectorTable table = table_of(items);
  std::vector<float> vectors;
  {
    const nb::gil_scoped_release no_gil;
    vectors = fold_in(table, interactions_of(offsets, histories, table.rows), fold);
  }
  return array_of<float, NewMatrix<float>>(std::move(vectors), {offsets.shape(0) - 1, table.dim});
}

template <class Id>
std::vector<std::string> all_names(uint32_t count, Id&& id) {
  std::vector<std::string> names(count);
  for (uint32_t n = 0; n < count; ++n) names[n] = id(n);
  return names;
}

}  // namespace

void bind_model(nb::module_& m) {
  using Self = nb::pointer_and_handle<TrainedModel>;
  nb::class_<TrainedModel>(m, "TrainedModel")
      .def_static("load", &TrainedModel::load, nb::arg("path"),
                  nb::call_guard<nb::gil_scoped_release>())
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes) {
            const auto* data = static_cast<const std::byte*>(bytes.data());
            const size_t size = bytes.size();
            const nb::gil_scoped_release no_gil;
            return TrainedModel::from_bytes({data, size});
          },
          nb::arg("bytes"))
      .def("save", &TrainedModel::save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("to_bytes",
           [](const TrainedModel& model) {
             return nb::bytes(model.bytes().data(), model.bytes().size());
           })
      .def_prop_ro("users", &TrainedModel::users)
      .def_prop_ro("items", &TrainedModel::items)
      .def_prop_ro("user_vectors",
                   [](Self self) { return view_of(self.p->user_vectors(), self.h); })
      .def_prop_ro("item_vectors",
                   [](Self self) { return view_of(self.p->item_vectors(), self.h); })
      .def_prop_ro("user_ids",
                   [](const TrainedModel& model) {
                     return all_names(model.users(), [&](uint32_t n) { return model.user_id(n); });
                   })
      .def_prop_ro("item_ids",
                   [](const TrainedModel& model) {
                     return all_names(model.items(), [&](uint32_t n) { return model.item_id(n); });
                   })
      .def("find_user", &TrainedModel::find_user, nb::arg("id"))
      .def("find_item", &TrainedModel::find_item, nb::arg("id"))
      .def_prop_ro("model_name", &TrainedModel::model_name)
      .def_prop_ro("sampler_name", &TrainedModel::sampler_name)
      .def_prop_ro("seed", &TrainedModel::seed)
      .def_prop_ro("dataset_hash", &TrainedModel::dataset_hash)
      .def_prop_ro("config", &TrainedModel::config);
  m.def("recommend", &recommend_rows, nb::arg("users").noconvert(), nb::arg("rows").noconvert(),
        nb::arg("items").noconvert(), nb::arg("k"), nb::arg("seen_offsets").noconvert().none(),
        nb::arg("seen_items").noconvert().none(), nb::arg("allowed").noconvert().none(),
        nb::arg("denied").noconvert().none(), nb::arg("threads"));
  m.def("similar", &similar_rows, nb::arg("vectors").noconvert(), nb::arg("rows").noconvert(),
        nb::arg("k"), nb::arg("cosine"), nb::arg("threads"));
  m.def("fold_in", &fold_in_rows, nb::arg("items").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("histories").noconvert(), nb::arg("method"), nb::arg("options"),
        nb::arg("threads"));
}

}  // namespace divns::python
