// SPDX-License-Identifier: Apache-2.0
#include "custom.h"
#include "divns/registry.h"

namespace divns::python {
namespace {

class CustomLoss final : public Loss {
 public:
  explicit CustomLoss(const std::string& name) : object_("loss", name) {}

  void declare(Options& options) override { object_.declare(options); }

  void start(const LossContext& context) override {
    const nb::gil_scoped_acquire gil;
    nb::dict run;
    run["seed"] = context.seed;
    run["negatives"] = context.negatives;
    run["batch_size"] = context.batch_size;
    run["cosine"] = context.cosine;
    object_.start(run);
  }

  // One call per batch instead of one per chunk of rows: a call into Python is expensive.
  bool joins_users() const override { return true; }

  void rows(const LossInput& in, const LossOutput& out) const override {
    const size_t rows = in.rows(), each = in.negatives_per_row;
    const nb::gil_scoped_acquire gil;
    const auto matrix = [&](std::span<const float> values) {
      return array_of<float, NewMatrix<float>>(std::vector<float>(values.begin(), values.end()),
                                               {rows, each});
    };
    const nb::object importance =
        in.importance.empty() ? nb::none() : nb::cast(matrix(in.importance));
    const nb::object answer =
        object_.call("rows", copied<float>(in.positive_scores), matrix(in.negative_scores),
                     copied<int64_t>(in.users), importance);
    const auto [losses, positive, negative] =
        nb::cast<std::tuple<Column<double>, Column<float>, Column<float>>>(answer);
    if (losses.shape(0) != rows || positive.shape(0) != rows || negative.shape(0) != rows * each)
      throw Error("the loss '" + object_.spec().name + "' returned arrays of the wrong size.");
    for (size_t r = 0; r < rows; ++r) {
      const float weight = in.row_weights.empty() ? 1.0F : in.row_weights[r];
      out.losses[r] = weight * losses.data()[r];
      out.positive_slopes[r] = weight * in.share * positive.data()[r];
      for (size_t n = r * each; n < (r + 1) * each; ++n)
        out.negative_slopes[n] = weight * in.share * negative.data()[n];
    }
  }

 private:
  CustomObject object_;
};

}  // namespace

void bind_custom_loss(nb::module_& m) {
  m.def(
      "register_loss",
      [](const std::string& name, const std::string& summary, const std::string& citation,
         const nb::list& options, const nb::object& make) {
        if (!has_custom("loss", name))
          register_loss({.name = name, .summary = summary, .citation = citation, .make = [name] {
                           return std::make_unique<CustomLoss>(name);
                         }});
        keep_custom("loss", name, options, false, make);
      },
      nb::arg("name"), nb::arg("summary"), nb::arg("citation"), nb::arg("options"),
      nb::arg("make"));
}

}  // namespace divns::python
