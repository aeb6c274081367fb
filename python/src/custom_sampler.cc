// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "custom.h"
#include "divns/registry.h"
#include "divns/tensors.h"

namespace divns::python {
namespace {

using ItemColumn = Column<uint32_t>;
using WeightColumn = Column<float>;

NewMatrix<float> gathered(const VectorTable& table, std::span<const uint32_t> rows) {
  std::vector<float> values(rows.size() * table.dim);
  for (size_t n = 0; n < rows.size(); ++n)
    std::copy_n(table.row(rows[n]), table.dim, values.data() + n * table.dim);
  return array_of<float, NewMatrix<float>>(std::move(values), {rows.size(), table.dim});
}

NewMatrix<float> whole(const VectorTable& table) {
  std::vector<uint32_t> rows(table.rows);
  for (uint32_t row = 0; row < table.rows; ++row) rows[row] = row;
  return gathered(table, rows);
}

class CustomSampler final : public Sampler {
 public:
  explicit CustomSampler(const std::string& name) : object_("sampler", name) {}

  void declare(Options& options) override { object_.declare(options); }

  void start(const SamplerContext& context) override {
    item_count_ = context.train.item_count;
    negatives_ = static_cast<size_t>(context.negatives);
    const nb::gil_scoped_acquire gil;
    nb::dict run;
    run["indptr"] = copied<int64_t>(context.train.offsets);
    run["indices"] = copied<int32_t>(context.train.items);
    run["items"] = item_count_;
    run["seed"] = context.seed;
    run["dim"] = context.dim;
    run["negatives"] = context.negatives;
    run["batch_size"] = context.batch_size;
    object_.start(run);
  }

  bool reads_epoch_vectors() const override { return object_.spec().reads_epoch_vectors; }

  void begin_epoch(uint32_t epoch, const EmbeddingView& view) override {
    const nb::gil_scoped_acquire gil;
    if (reads_epoch_vectors())
      object_.call("begin_epoch", epoch, whole(view.users), whole(view.items));
    else
      object_.call("begin_epoch", epoch, nb::none(), nb::none());
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    const nb::gil_scoped_acquire gil;
    const nb::object answer =
        object_.call("propose", batch.epoch, batch.step, batch.first_place,
                     copied<int64_t>(batch.users), copied<int64_t>(batch.positives));
    const auto items = nb::cast<ItemColumn>(answer);
    candidates_.assign(items.data(), items.data() + items.shape(0));
    require_items(candidates_);
    rows.items.insert(rows.items.end(), candidates_.begin(), candidates_.end());
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    const nb::gil_scoped_acquire gil;
    const nb::object answer =
        object_.call("choose", gathered(view.users, batch.users),
                     gathered(view.items, batch.positives), gathered(view.items, candidates_));
    const auto [items, weights] = nb::cast<std::pair<ItemColumn, WeightColumn>>(answer);
    require_items(span_of(items));
    const size_t count = batch.size() * negatives_;
    const size_t terms = count == 0 ? 1 : items.shape(0) / count;
    if (terms == 0 || items.shape(0) != count * terms || weights.shape(0) != items.shape(0))
      throw Error("the sampler '" + object_.spec().name + "' returned arrays of the wrong size.");
    negatives.reset(batch.size(), negatives_, terms);
    for (size_t n = 0; n < negatives.terms.size(); ++n)
      negatives.terms[n] = {.item = items.data()[n], .weight = weights.data()[n]};
  }

  // The state is one block of bytes that the adapter makes.
  void save(TensorWriter& out) const override {
    const nb::gil_scoped_acquire gil;
    const auto state = nb::cast<nb::bytes>(object_.call("save"));
    out.add_copy("state", std::span(static_cast<const uint8_t*>(state.data()), state.size()));
  }
  void load(const TensorReader& in) override {
    const nb::gil_scoped_acquire gil;
    const auto state = in.values<uint8_t>("state");
    object_.call("load", nb::bytes(state.data(), state.size()));
  }

 private:
  void require_items(std::span<const uint32_t> items) const {
    for (const uint32_t item : items)
      if (item >= item_count_)
        throw Error("the sampler '" + object_.spec().name + "' named item " + std::to_string(item) +
                    "; items are numbered from 0 to " + std::to_string(item_count_ - 1) + ".");
  }

  CustomObject object_;
  uint32_t item_count_ = 0;
  size_t negatives_ = 1;
  std::vector<uint32_t> candidates_;
};

}  // namespace

void bind_custom_sampler(nb::module_& m) {
  m.def(
      "register_sampler",
      [](const std::string& name, const std::string& summary, const std::string& citation,
         const nb::list& options, bool reads_epoch_vectors, const nb::object& make) {
        if (!has_custom("sampler", name))
          register_sampler({.name = name, .summary = summary, .citation = citation, .make = [name] {
                              return std::make_unique<CustomSampler>(name);
                            }});
        keep_custom("sampler", name, options, reads_epoch_vectors, make);
      },
      nb::arg("name"), nb::arg("summary"), nb::arg("citation"), nb::arg("options"),
      nb::arg("reads_epoch_vectors"), nb::arg("make"));
}

}  // namespace divns::python
