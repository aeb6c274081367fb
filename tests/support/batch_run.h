// SPDX-License-Identifier: Apache-2.0
// One batch through a model, a sampler and the loss, as the trainer does it but without the
// optimiser, so that gradients can be looked at.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "divns/options.h"
#include "divns/registry.h"
#include "models/registry.h"
#include "support/double_model.h"
#include "support/interactions.h"
#include "support/losses.h"
#include "support/tables.h"
#include "train/batch_gradients.h"

namespace divns::testing {

using Settings = std::vector<std::pair<std::string, std::string>>;

struct BatchRun {
  OwnedInteractions data;
  std::vector<uint32_t> users;
  std::vector<uint32_t> positives;
  std::vector<uint64_t> pairs;
  Batch batch;
  ObjectiveOptions loss;
  Executor executor;
  std::unique_ptr<Model> model;
  std::unique_ptr<Sampler> sampler;
  Negatives negatives;
  ExtraGradients extra;
  BatchGradients gradients;
  double auxiliary = 0;
  ParameterGradients user_result;
  ParameterGradients item_result;

  // Every training pair of the data is a row of the batch. 0 layers for matrix factorisation.
  BatchRun(OwnedInteractions interactions, const std::string& sampler_name, int layers,
           uint32_t dim, int negatives_per_row, const Settings& settings, uint32_t epoch = 0,
           int threads = 2)
      : data(std::move(interactions)),
        loss{.l2 = 0.1},
        executor(threads),
        model(find_model(layers == 0 ? "mf" : "lightgcn").make()),
        sampler(find_sampler(sampler_name).make()),
        gradients(loss, default_loss(), data.view().users(), data.item_count, dim, layers + 1,
                  executor) {
    for (uint32_t u = 0; u < data.view().users(); ++u)
      for (uint64_t p = data.offsets[u]; p < data.offsets[u + 1]; ++p) {
        users.push_back(u);
        positives.push_back(data.items[p]);
        pairs.push_back(p);
      }
    batch = {.epoch = epoch, .users = users, .positives = positives, .pairs = pairs};
    Options options;
    model->declare(options);
    sampler->declare(options);
    if (layers > 0) options.set("layers", std::to_string(layers), OptionSource::kSet);
    for (const auto& [name, value] : settings) options.set(name, value, OptionSource::kSet);
    model->start({data.view(), executor, dim});
    sampler->start({.train = data.view(),
                    .executor = executor,
                    .seed = 5,
                    .dim = dim,
                    .hops = layers + 1,
                    .negatives = negatives_per_row,
                    .batch_size = users.size()});
    set(model->user_parameters(), random_table(data.view().users(), dim, 1));
    set(model->item_parameters(), random_table(data.item_count, dim, 2));
    extra.vectors = Table(0, dim);
  }
  static void set(Table& to, const Table& from) {
    std::copy_n(from.data(), from.size(), to.data());
  }

  // Returns the whole loss.
  double run() {
    RowsToRead rows;
    sampler->begin_epoch(batch.epoch, {});
    sampler->propose(batch, rows);
    model->forward({}, {});
    const EmbeddingView view = model->view();
    sampler->choose(batch, view, negatives);
    extra.clear();
    gradients.score(batch, negatives, view);
    if (negatives.free_vectors)
      sampler->backward(batch, view, gradients.free_vector_gradients(batch, negatives), extra);
    if (sampler->has_auxiliary_loss())
      auxiliary = sampler->auxiliary_loss(batch, view, negatives, extra);
    gradients.accumulate(batch, negatives, view, extra);
    model->backward(gradients.users(), gradients.items(), user_result, item_result);
    return gradients.loss() + auxiliary;
  }

  // dLoss by a parameter of the model; nodes are users, then items.
  double gradient(size_t node, uint32_t k) const {
    const size_t count = data.view().users();
    const ParameterGradients& result = node < count ? user_result : item_result;
    const auto row = static_cast<uint32_t>(node < count ? node : node - count);
    if (result.all) return double{result.values->row(row)[k]};
    for (size_t j = 0; j < result.rows.size(); ++j)
      if (result.rows[j] == row) return double{result.values->row(j)[k]};
    return 0;
  }

  // The same model in float64.
  DoubleModel double_model() const {
    DoubleModel copy(data.view(), model->hops() - 1, false);
    for (const Table* table :
         {&std::as_const(*model).user_parameters(), &std::as_const(*model).item_parameters()})
      for (uint32_t i = 0; i < table->rows(); ++i)
        copy.parameters.emplace_back(table->row(i), table->row(i) + table->dim());
    return copy;
  }
};

}  // namespace divns::testing
