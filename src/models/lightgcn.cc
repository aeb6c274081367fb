// SPDX-License-Identifier: Apache-2.0
#include "models/lightgcn.h"

#include <optional>

#include "base/options.h"
#include "kernels/vectors.h"
#include "models/graph.h"

namespace divns {
namespace {

constexpr size_t kGraphRowsPerChunk = 128;

struct LightGcnOptions {
  int layers = 3;
  bool skip_layer0 = false;

  void declare(Options& options) {
    options.add("lightgcn.layers", layers, "propagation layers")
        .range(1, 16)
        .alias("layers")
        .alias("n_layers")
        .tune_values({"2", "3", "4"});
    options
        .add("lightgcn.skip_layer0", skip_layer0,
             "pool layers 1 to L only, leaving the parameters out")
        .alias("skip_layer0");
  }
};

// The vectors of one side, users or items.
struct Side {
  std::vector<Table> hops;  // hops 1 .. L; hop 0 is the parameter table
  Table pooled;
  std::vector<VectorTable> hop_views;
  // The gradient of the last hop, for the rows of the batch.
  Table last;

  Side(const Table& parameters, size_t layers)
      : hops(layers, Table(parameters.rows(), parameters.dim())),
        pooled(parameters.rows(), parameters.dim()),
        last(0, parameters.dim()) {
    hop_views.push_back(parameters.view());
    for (const Table& hop : hops) hop_views.push_back(hop.view());
  }
};

class LightGcn final : public Model {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const ModelContext& context) override {
    executor_ = &context.executor;
    graph_.emplace(context.train, context.executor);
    users_ = Table(context.train.users(), context.dim);
    items_ = Table(context.train.item_count, context.dim);
    const auto layers = static_cast<size_t>(options_.layers);
    user_side_.emplace(users_, layers);
    item_side_.emplace(items_, layers);
    const size_t pooled_hops = options_.skip_layer0 ? layers : layers + 1;
    pool_weights_.assign(layers + 1, 1.0F / static_cast<float>(pooled_hops));
    if (options_.skip_layer0) pool_weights_[0] = 0;
  }

  int hops() const override { return options_.layers + 1; }

  // Every layer but the last is needed whole, since the next one reads it; the last only where the
  // batch looks.
  void forward(const RowSelection& users, const RowSelection& items) override {
    for (int layer = 1; layer <= options_.layers; ++layer) {
      const bool last = layer == options_.layers;
      const auto from = static_cast<size_t>(layer - 1);
      graph_->propagate({user_side_->hop_views[from]}, {item_side_->hop_views[from]},
                        last ? Graph::Wanted{users.all, users.rows} : Graph::Wanted{},
                        last ? Graph::Wanted{items.all, items.rows} : Graph::Wanted{},
                        user_side_->hops[from], item_side_->hops[from]);
    }
    pool(*user_side_, users);
    pool(*item_side_, items);
  }

  EmbeddingView view() const override {
    return {user_side_->pooled.view(), item_side_->pooled.view(), user_side_->hop_views,
            item_side_->hop_views, pool_weights_};
  }

  // A^ is symmetric: G_l = dLoss/dE^(l) + A^ G_(l+1), from G_L, which only the batch's rows have.
  // The gradients take the place of the hops, which the next forward makes anew: the fewer tables
  // are touched, the more of them stay in the caches.
  void backward(const RowGradients& users, const RowGradients& items,
                ParameterGradients& user_result, ParameterGradients& item_result) override {
    fill_last(*user_side_, users);
    fill_last(*item_side_, items);
    Graph::Source from_users{user_side_->last.view(), users.slots.data()};
    Graph::Source from_items{item_side_->last.view(), items.slots.data()};
    size_t target = 0;
    for (int layer = options_.layers - 1; layer >= 0; --layer) {
      target = static_cast<size_t>(layer) % 2;
      Table& to_users = user_side_->hops[target];
      Table& to_items = item_side_->hops[target];
      graph_->propagate(from_users, from_items, {}, {}, to_users, to_items);
      add_direct(users, layer, to_users);
      add_direct(items, layer, to_items);
      from_users = {to_users.view()};
      from_items = {to_items.view()};
    }
    user_result = {true, {}, &user_side_->hops[target]};
    item_result = {true, {}, &item_side_->hops[target]};
  }

 private:
  void pool(Side& side, const RowSelection& selection) const {
    const size_t count = selection.all ? side.pooled.rows() : selection.rows.size();
    executor_->for_chunks(count, kGraphRowsPerChunk, [&](size_t begin, size_t end) {
      std::vector<const float*> hop_rows(side.hop_views.size());
      for (size_t j = begin; j < end; ++j) {
        const auto row = selection.all ? static_cast<uint32_t>(j) : selection.rows[j];
        for (size_t l = 0; l < hop_rows.size(); ++l) hop_rows[l] = side.hop_views[l].row(row);
        sum_rows(hop_rows.data(), pool_weights_.data(), hop_rows.size(), side.pooled.stride(),
                 side.pooled.row(row));
      }
    });
  }

  // dLoss/dE^(L) of the batch's rows.
  void fill_last(Side& side, const RowGradients& gradients) const {
    const auto rows = static_cast<uint32_t>(gradients.rows.size());
    side.last.resize_rows(rows);
    executor_->for_chunks(rows, kGraphRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t j = begin; j < end; ++j) {
        std::fill_n(side.last.row(j), side.last.stride(), 0.0F);
        add_row(gradients, options_.layers, j, side.last.row(j));
      }
    });
  }

  // Adds dLoss/dE^(layer) of the batch's rows.
  void add_direct(const RowGradients& gradients, int layer, Table& out) const {
    executor_->for_chunks(gradients.rows.size(), kGraphRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t j = begin; j < end; ++j) {
        add_row(gradients, layer, j, out.row(gradients.rows[j]));
        if (layer == 0) axpy(1, gradients.ego.row(j), out.row(gradients.rows[j]), out.stride());
      }
    });
  }

  void add_row(const RowGradients& gradients, int layer, size_t j, float* out) const {
    const auto hop = static_cast<size_t>(layer);
    axpy(pool_weights_[hop], gradients.pooled.row(j), out, gradients.pooled.stride());
    if (!gradients.hops.empty())
      axpy(1, gradients.hops[hop].row(j), out, gradients.pooled.stride());
  }

  LightGcnOptions options_;
  const Executor* executor_ = nullptr;
  std::optional<Graph> graph_;
  std::optional<Side> user_side_;
  std::optional<Side> item_side_;
  std::vector<float> pool_weights_;
};

}  // namespace

std::unique_ptr<Model> make_lightgcn() {
  return std::make_unique<LightGcn>();
}

}  // namespace divns
