// SPDX-License-Identifier: Apache-2.0
// Trained models, and what is done with vectors: recommend, similar rows, fold-in.
#include "divns/model.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "bindings.h"
#include "divns/parallel.h"
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

// What a list must and must not have, as Python passes it.
struct ListRequest {
  uint32_t k;
  const OptionalOffsets& seen_offsets;
  const OptionalItems& seen_items;
  const OptionalItems& allowed;
  const OptionalItems& denied;
  int threads;
};

// Needs the GIL.
nb::tuple lists_of(const Scorer& scorer, uint32_t item_count, const Column<uint32_t>& rows,
                   const ListRequest& request) {
  RecommendOptions options;
  options.k = request.k;
  options.threads = request.threads;
  const auto& [allowed, denied] = std::tie(request.allowed, request.denied);
  if (allowed) options.allowed.emplace(allowed->data(), allowed->data() + allowed->shape(0));
  if (denied) options.denied.assign(denied->data(), denied->data() + denied->shape(0));
  TopItems top;
  {
    const nb::gil_scoped_release no_gil;
    if (request.seen_offsets && request.seen_items)
      options.seen = interactions_of(*request.seen_offsets, *request.seen_items, item_count);
    top = recommend(scorer, span_of(rows), options);
  }
  return list_arrays(std::move(top), rows.shape(0));
}

nb::tuple recommend_rows(const FloatRows& users, const Column<uint32_t>& rows,
                         const FloatRows& items, uint32_t k, const OptionalOffsets& seen_offsets,
                         const OptionalItems& seen_items, const OptionalItems& allowed,
                         const OptionalItems& denied, int threads) {
  const VectorTable item_table = table_of(items);
  return lists_of({table_of(users), item_table}, item_table.rows, rows,
                  {k, seen_offsets, seen_items, allowed, denied, threads});
}

// Item-item weights, which must be square.
VectorTable weights_of(const FloatRows& weights) {
  const VectorTable table = table_of(weights);
  if (table.rows != table.dim)
    throw Error("item-item weights are a square matrix, but these are " +
                std::to_string(table.rows) + " x " + std::to_string(table.dim) + ".");
  return table;
}

nb::tuple recommend_by_weights(const FloatRows& weights, const Column<uint64_t>& offsets,
                               const Column<uint32_t>& histories, const Column<uint32_t>& rows,
                               uint32_t k, const OptionalOffsets& seen_offsets,
                               const OptionalItems& seen_items, const OptionalItems& allowed,
                               const OptionalItems& denied, int threads) {
  const VectorTable table = weights_of(weights);
  const ItemWeightScores scores(interactions_of(offsets, histories, table.rows), table);
  return lists_of({{}, {}, &scores}, table.rows, rows,
                  {k, seen_offsets, seen_items, allowed, denied, threads});
}

// All scores of users who have these items: histories x weights.
NewMatrix<float> scores_by_weights(const FloatRows& weights, const Column<uint64_t>& offsets,
                                   const Column<uint32_t>& histories, int threads) {
  const VectorTable table = weights_of(weights);
  const ItemWeightScores scores(interactions_of(offsets, histories, table.rows), table);
  std::vector<float> values(size_t{scores.users()} * scores.items());
  {
    const nb::gil_scoped_release no_gil;
    Executor(threads).for_chunks(scores.users(), 16, [&](size_t begin, size_t end) {
      Table block(static_cast<uint32_t>(end - begin), scores.items());
      std::vector<uint32_t> users(end - begin);
      std::iota(users.begin(), users.end(), static_cast<uint32_t>(begin));
      scores.score(users, block);
      for (size_t n = begin; n < end; ++n)
        std::copy_n(block.row(n - begin), scores.items(), &values[n * scores.items()]);
    });
  }
  return array_of<float, NewMatrix<float>>(std::move(values), {scores.users(), scores.items()});
}

nb::tuple similar_items_by_weights(const FloatRows& weights, const Column<uint32_t>& rows,
                                   uint32_t k, bool cosine, int threads) {
  const VectorTable table = weights_of(weights);
  TopItems top;
  {
    const nb::gil_scoped_release no_gil;
    top = similar_by_weights(table, span_of(rows), k,
                             cosine ? Similarity::kCosine : Similarity::kDot, threads);
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
      .def_prop_ro("has_vectors", &TrainedModel::has_vectors)
      .def_prop_ro("item_weights",
                   [](Self self) { return view_of(self.p->item_weights(), self.h); })
      .def_prop_ro("histories",
                   [](Self self) {
                     const Interactions pairs = self.p->histories();
                     return nb::make_tuple(view_of(pairs.offsets, self.h),
                                           view_of(pairs.items, self.h));
                   })
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
  m.def("recommend_by_weights", &recommend_by_weights, nb::arg("weights").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("histories").noconvert(),
        nb::arg("rows").noconvert(), nb::arg("k"), nb::arg("seen_offsets").noconvert().none(),
        nb::arg("seen_items").noconvert().none(), nb::arg("allowed").noconvert().none(),
        nb::arg("denied").noconvert().none(), nb::arg("threads"));
  m.def("scores_by_weights", &scores_by_weights, nb::arg("weights").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("histories").noconvert(), nb::arg("threads"));
  m.def("similar_by_weights", &similar_items_by_weights, nb::arg("weights").noconvert(),
        nb::arg("rows").noconvert(), nb::arg("k"), nb::arg("cosine"), nb::arg("threads"));
  m.def("similar", &similar_rows, nb::arg("vectors").noconvert(), nb::arg("rows").noconvert(),
        nb::arg("k"), nb::arg("cosine"), nb::arg("threads"));
  m.def("fold_in", &fold_in_rows, nb::arg("items").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("histories").noconvert(), nb::arg("method"), nb::arg("options"),
        nb::arg("threads"));
}

}  // namespace divns::python
