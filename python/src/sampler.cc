// SPDX-License-Identifier: Apache-2.0
// A sampler for other people's training loops: draws batches of pairs with negatives against
// vectors that the caller owns.
#include "divns/sampler.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "bindings.h"
#include "divns/dataset.h"
#include "divns/registry.h"
#include "divns/table.h"

namespace divns::python {
namespace {

class LoopSampler {
 public:
  LoopSampler(const std::string& name, const Dataset& data, const NamedValues& values,
              uint64_t seed, uint32_t dim, int negatives, size_t batch_size, int threads)
      : batch_size_(batch_size),
        train_(data.train()),
        executor_(threads),
        sampler_(find_sampler(name).make()),
        users_(train_.users(), dim),
        items_(train_.item_count, dim) {
    Options options;
    sampler_->declare(options);
    apply(values, options);
    if (sampler_->needs_hops())
      throw Error("the sampler '" + name +
                  "' mixes vectors of several hops, which a loop of your own does not have; choose "
                  "another one, or train with divns.LightGCN.");
    if (sampler_->shares_negatives())
      throw Error(
          "the sampler '" + name +
          "' gives negatives that all rows of a batch share, which need no sampler in a loop "
          "of your own: draw one set of items per batch; or train with divns.MF or "
          "divns.LightGCN.");
    sampler_->start({.train = train_,
                     .executor = executor_,
                     .seed = seed,
                     .dim = dim,
                     .hops = 1,
                     .negatives = negatives,
                     .batch_size = batch_size,
                     .replay = nullptr});
    if (!sampler_->parameters().empty() || sampler_->has_auxiliary_loss())
      throw Error("the sampler '" + name +
                  "' trains parameters of its own, which a loop of your own does not do; choose "
                  "another one, or train with divns.MF or divns.LightGCN.");
  }

  void begin_epoch(uint32_t epoch, const FloatRows& users, const FloatRows& items) {
    const VectorTable user_rows = checked(users, users_), item_rows = checked(items, items_);
    const nb::gil_scoped_release no_gil;
    const std::scoped_lock alone(busy_);
    epoch_ = epoch;
    if (sampler_->reads_epoch_vectors()) {
      copy_all(user_rows, users_);
      copy_all(item_rows, items_);
    }
    sampler_->begin_epoch(epoch, view());
  }

  nb::tuple batch(uint64_t step, uint32_t first_place, const Column<uint64_t>& pairs,
                  const Column<uint32_t>& users, const FloatRows& user_vectors,
                  const FloatRows& item_vectors) {
    const VectorTable user_rows = checked(user_vectors, users_);
    const VectorTable item_rows = checked(item_vectors, items_);
    const size_t rows = pairs.shape(0);
    require_pairs(span_of(pairs), span_of(users));
    std::vector<uint32_t> positives(rows);
    // Taken without the GIL, so that a thread that waits here does not hold up the others.
    std::unique_lock<std::mutex> alone(busy_, std::defer_lock);
    {
      const nb::gil_scoped_release no_gil;
      alone.lock();
      for (size_t b = 0; b < rows; ++b) positives[b] = train_.items[pairs.data()[b]];
      const Batch batch{.epoch = epoch_,
                        .step = step,
                        .first_place = first_place,
                        .users = span_of(users),
                        .positives = positives,
                        .pairs = span_of(pairs)};
      wanted_.clear();
      sampler_->propose(batch, wanted_);
      refresh(batch, user_rows, item_rows);
      sampler_->choose(batch, view(), negatives_);
    }
    if (negatives_.free_vectors)
      throw Error("this sampler generates vectors instead of choosing items; choose another one.");
    return arrays(std::move(positives));
  }

 private:
  VectorTable checked(const FloatRows& rows, const Table& expected) const {
    const VectorTable table = table_of(rows);
    if (table.rows != expected.rows() || table.dim != expected.dim())
      throw Error("vectors of the shape " + std::to_string(table.rows) + " x " +
                  std::to_string(table.dim) + " were given; expected " +
                  std::to_string(expected.rows()) + " x " + std::to_string(expected.dim()) + ".");
    return table;
  }
  // A pair is a position in the training items, and it is its user's.
  void require_pairs(std::span<const uint64_t> pairs, std::span<const uint32_t> users) const {
    bool valid = pairs.size() == users.size() && pairs.size() <= batch_size_;
    for (size_t b = 0; valid && b < pairs.size(); ++b)
      valid = users[b] < train_.users() && train_.offsets[users[b]] <= pairs[b] &&
              pairs[b] < train_.offsets[users[b] + 1];
    if (!valid)
      throw Error("the batch does not consist of at most " + std::to_string(batch_size_) +
                  " training pairs with their users.");
  }
  static void copy_row(const VectorTable& from, Table& to, uint32_t row) {
    std::copy_n(from.row(row), from.dim, to.row(row));
  }
  static void copy_all(const VectorTable& from, Table& to) {
    for (uint32_t row = 0; row < from.rows; ++row) copy_row(from, to, row);
  }
  // The rows that choose reads, as they are now.
  void refresh(const Batch& batch, const VectorTable& users, const VectorTable& items) {
    if (wanted_.all_users) copy_all(users, users_);
    if (wanted_.all_items) copy_all(items, items_);
    for (const uint32_t user : batch.users) copy_row(users, users_, user);
    for (const uint32_t item : batch.positives) copy_row(items, items_, item);
    for (const uint32_t item : wanted_.items) copy_row(items, items_, item);
  }
  EmbeddingView view() {
    tables_[0] = users_.view();
    tables_[1] = items_.view();
    return {tables_[0], tables_[1], {&tables_[0], 1}, {&tables_[1], 1}, {&one_, 1}};
  }
  // Positives, items and weights of the terms (B x K x T), importance (B x K) and row weights (B).
  nb::tuple arrays(std::vector<uint32_t>&& positives) {
    const size_t rows = positives.size(), each = negatives_.per_row, terms = negatives_.terms_each;
    std::vector<int64_t> items(negatives_.terms.size()), chosen(positives.begin(), positives.end());
    std::vector<float> weights(items.size());
    for (size_t n = 0; n < items.size(); ++n) {
      items[n] = negatives_.terms[n].item;
      weights[n] = negatives_.terms[n].weight;
    }
    using Items = nb::ndarray<nb::numpy, int64_t, nb::ndim<3>>;
    using Weights = nb::ndarray<nb::numpy, float, nb::ndim<3>>;
    const auto optional = [&](std::vector<float> values, std::initializer_list<size_t> shape) {
      if (values.empty()) return nb::object(nb::none());
      return nb::cast(array_of<float, nb::ndarray<nb::numpy, float>>(std::move(values), shape));
    };
    return nb::make_tuple(column_of(std::move(chosen)),
                          array_of<int64_t, Items>(std::move(items), {rows, each, terms}),
                          array_of<float, Weights>(std::move(weights), {rows, each, terms}),
                          optional(negatives_.importance, {rows, each}),
                          optional(negatives_.row_weights, {rows}));
  }

  std::mutex busy_;
  size_t batch_size_;
  Interactions train_;
  Executor executor_;
  std::unique_ptr<Sampler> sampler_;
  Table users_, items_;  // padded copies of the rows in use
  VectorTable tables_[2];
  float one_ = 1;
  uint32_t epoch_ = 0;
  RowsToRead wanted_;
  Negatives negatives_;
};

}  // namespace

void bind_sampler(nb::module_& m) {
  nb::class_<LoopSampler>(m, "LoopSampler")
      .def(nb::init<const std::string&, const Dataset&, const NamedValues&, uint64_t, uint32_t, int,
                    size_t, int>(),
           nb::arg("name"), nb::arg("data"), nb::arg("options"), nb::arg("seed"), nb::arg("dim"),
           nb::arg("negatives"), nb::arg("batch_size"), nb::arg("threads"), nb::keep_alive<1, 3>())
      .def("begin_epoch", &LoopSampler::begin_epoch, nb::arg("epoch"),
           nb::arg("user_vectors").noconvert(), nb::arg("item_vectors").noconvert())
      .def("batch", &LoopSampler::batch, nb::arg("step"), nb::arg("first_place"),
           nb::arg("pairs").noconvert(), nb::arg("users").noconvert(),
           nb::arg("user_vectors").noconvert(), nb::arg("item_vectors").noconvert());
}

}  // namespace divns::python
