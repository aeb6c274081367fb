// SPDX-License-Identifier: Apache-2.0
#include "divns/evaluate.h"

#include <algorithm>

#include "bindings.h"
#include "divns/significance.h"
#include "results.h"

namespace divns::python {
namespace {

// A matrix of scores, users x items.
class ScoreMatrix : public ScoreSource {
 public:
  explicit ScoreMatrix(const VectorTable& scores) : scores_(scores) {}
  uint32_t users() const override { return scores_.rows; }
  uint32_t items() const override { return scores_.dim; }
  void score(std::span<const uint32_t> users, Table& out) const override {
    for (size_t n = 0; n < users.size(); ++n)
      std::copy_n(scores_.row(users[n]), scores_.dim, out.row(n));
  }

 private:
  VectorTable scores_;
};

EvaluateOptions evaluate_options(const NamedValues& values, int threads) {
  EvaluateOptions evaluation;
  evaluation.threads = threads;
  Options options;
  evaluation.declare(options);
  apply(values, options);
  return evaluation;
}

nb::tuple evaluate_model(const TrainedModel& model, const Dataset& data, const NamedValues& values,
                         int threads) {
  const EvaluateOptions options = evaluate_options(values, threads);
  Evaluation evaluation;
  {
    const nb::gil_scoped_release no_gil;
    evaluation = evaluate(model, data, options);
  }
  return result_of(std::move(evaluation));
}

void require_shape(const char* what, uint32_t given, uint32_t expected) {
  if (given != expected)
    throw Error("there are " + std::to_string(given) + " rows of " + what +
                " scores, but the dataset has " + std::to_string(expected) +
                "; give one row per row of the dataset.");
}

// Vectors, or with `items` missing a matrix of scores.
nb::tuple evaluate_arrays(const FloatRows& users, const std::optional<FloatRows>& items,
                          const Dataset& data, const NamedValues& values, int threads) {
  Evaluation evaluation;
  {
    const nb::gil_scoped_release no_gil;
    const VectorTable first = table_of(users);
    const ScoreMatrix matrix(first);
    const VectorTable second = items ? table_of(*items) : VectorTable();
    require_shape("user", first.rows, data.users());
    require_shape("item", items ? second.rows : first.dim, data.items());
    if (items && first.dim != second.dim)
      throw Error("user vectors have " + std::to_string(first.dim) + " columns and item vectors " +
                  std::to_string(second.dim) + "; they must have the same number.");
    evaluation = items ? evaluate_part(first, second, nullptr, data, values, threads)
                       : evaluate_part({}, {}, &matrix, data, values, threads);
  }
  return result_of(std::move(evaluation));
}

}  // namespace

nb::tuple result_of(Evaluation&& evaluation) {
  PerUserMetrics& per_user = evaluation.per_user;
  const size_t columns = per_user.columns.size(), users = per_user.users.size();
  return nb::make_tuple(
      per_user.columns, evaluation.means, column_of(std::move(per_user.users)),
      array_of<float, NewMatrix<float>>(std::move(per_user.values), {columns, users}));
}

Evaluation evaluate_part(const VectorTable& users, const VectorTable& items,
                         const ScoreSource* source, const Dataset& data, const NamedValues& values,
                         int threads) {
  const EvaluateOptions options = evaluate_options(values, threads);
  std::optional<Dataset::TestPart> test;
  if (options.part == "test") test.emplace(data.open_test());
  EvaluationRequest request;
  request.users = users;
  request.items = items;
  request.scores = source;
  request.train = data.train();
  request.relevant = test ? test->interactions() : data.valid();
  if (options.mask == "train+valid") request.also_masked = data.valid();
  request.cutoffs.assign(options.topk.begin(), options.topk.end());
  return evaluate(request, Executor(threads));
}

void bind_evaluate(nb::module_& m) {
  m.def("evaluate_model", &evaluate_model, nb::arg("model"), nb::arg("data"), nb::arg("options"),
        nb::arg("threads"));
  m.def("evaluate_arrays", &evaluate_arrays, nb::arg("users").noconvert(),
        nb::arg("items").noconvert().none(), nb::arg("data"), nb::arg("options"),
        nb::arg("threads"));
  m.def(
      "paired_t_test",
      [](const Column<double>& differences) {
        const PairedT test = paired_t_test(span_of(differences));
        nb::dict entry;
        entry["n"] = test.n;
        entry["mean"] = test.mean;
        entry["sd"] = test.sd;
        entry["t"] = test.t;
        entry["p"] = test.p;
        entry["dz"] = test.dz;
        return entry;
      },
      nb::arg("differences").noconvert());
  m.def(
      "wilcoxon",
      [](const Column<double>& differences) {
        const SignedRank test = wilcoxon_signed_rank(span_of(differences));
        nb::dict entry;
        entry["n"] = test.n;
        entry["positive"] = test.positive;
        entry["negative"] = test.negative;
        entry["exact"] = test.exact;
        entry["p"] = test.p;
        entry["rank_biserial"] = test.rank_biserial;
        return entry;
      },
      nb::arg("differences").noconvert());
  m.def(
      "holm", [](const Column<double>& p) { return column_of(holm(span_of(p))); },
      nb::arg("p_values").noconvert());
}

}  // namespace divns::python
