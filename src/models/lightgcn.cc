// SPDX-License-Identifier: Apache-2.0
#include "models/lightgcn.h"

#include <optional>

#include "base/options.h"
#include "kernels/bfloat16.h"
#include "kernels/vectors.h"
#include "models/graph.h"

namespace divns {
namespace {

constexpr size_t kGraphRowsPerChunk = 128;

enum class HopPrecision { kFloat32, kBfloat16 };

struct LightGcnOptions {
  int layers = 3;
  bool skip_layer0 = false;
  HopPrecision precision = HopPrecision::kFloat32;

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
    options.add_choice("lightgcn.precision", precision,
                       {{"float32", HopPrecision::kFloat32}, {"bfloat16", HopPrecision::kBfloat16}},
                       "what the products with the graph read: float32, or a copy in bfloat16, "
                       "which halves the memory traffic; sums and parameters stay float32");
  }
};

// The vectors of one side, users or items.
struct Side {
  std::vector<Table> hops;  // hops 1 .. L; hop 0 is the parameter table
  Table pooled;
  std::vector<VectorTable> hop_views;
  // The gradient of the last hop, for the rows of the batch.
  Table last;
  // Copies in bfloat16 of hops 0 .. L-1, which the products read, and of `last`; none with float32.
  std::vector<HalfTable> half_hops;
  HalfTable half_last;

  Side(const Table& parameters, size_t layers, HopPrecision precision)
      : hops(layers, Table(parameters.rows(), parameters.dim())),
        pooled(parameters.rows(), parameters.dim()),
        last(0, parameters.dim()) {
    if (precision == HopPrecision::kBfloat16) {
      half_hops.assign(layers, HalfTable(parameters.rows(), parameters.dim()));
      half_last = HalfTable(0, parameters.dim());
    }
    hop_views.push_back(parameters.view());
    for (const Table& hop : hops) hop_views.push_back(hop.view());
  }
  HalfTable* half(size_t hop) { return hop < half_hops.size() ? &half_hops[hop] : nullptr; }
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
    user_side_.emplace(users_, layers, options_.precision);
    item_side_.emplace(items_, layers, options_.precision);
    const size_t pooled_hops = options_.skip_layer0 ? layers : layers + 1;
    pool_weights_.assign(layers + 1, 1.0F / static_cast<float>(pooled_hops));
    if (options_.skip_layer0) pool_weights_[0] = 0;
  }

  int hops() const override { return options_.layers + 1; }

  // Every layer but the last is needed whole, since the next one reads it; the last only where the
  // batch looks.
  void forward(const RowSelection& users, const RowSelection& items) override {
    if (halved()) {
      round_rows(users_, user_side_->half_hops[0]);
      round_rows(items_, item_side_->half_hops[0]);
    }
    for (size_t layer = 1; layer <= user_side_->hops.size(); ++layer) {
      const bool last = layer == user_side_->hops.size();
      const auto source = [&](Side& side) {
        return Graph::Source{side.hop_views[layer - 1], nullptr, data_of(side.half(layer - 1))};
      };
      graph_->propagate(source(*user_side_), source(*item_side_),
                        last ? Graph::Wanted{users.all, users.rows} : Graph::Wanted{},
                        last ? Graph::Wanted{items.all, items.rows} : Graph::Wanted{},
                        {user_side_->hops[layer - 1], user_side_->half(layer)},
                        {item_side_->hops[layer - 1], item_side_->half(layer)});
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
    const auto last_of = [&](Side& side, const RowGradients& gradients) {
      return Graph::Source{side.last.view(), gradients.slots.data(),
                           halved() ? side.half_last.data() : nullptr};
    };
    Graph::Source from_users = last_of(*user_side_, users);
    Graph::Source from_items = last_of(*item_side_, items);
    size_t target = 0;
    for (int layer = options_.layers - 1; layer >= 0; --layer) {
      target = static_cast<size_t>(layer) % 2;
      const auto target_of = [&](Side& side) {
        return Graph::Target{side.hops[target], layer > 0 ? side.half(target) : nullptr};
      };
      const Graph::Target to_users = target_of(*user_side_);
      const Graph::Target to_items = target_of(*item_side_);
      graph_->propagate(from_users, from_items, {}, {}, to_users, to_items);
      add_direct(users, layer, to_users);
      add_direct(items, layer, to_items);
      from_users = {to_users.table.view(), nullptr, data_of(to_users.half)};
      from_items = {to_items.table.view(), nullptr, data_of(to_items.half)};
    }
    user_result = {true, {}, &user_side_->hops[target]};
    item_result = {true, {}, &item_side_->hops[target]};
  }

 private:
  bool halved() const { return options_.precision == HopPrecision::kBfloat16; }
  static const uint16_t* data_of(const HalfTable* table) {
    return table != nullptr ? table->data() : nullptr;
  }

  void round_rows(const Table& from, HalfTable& to) const {
    executor_->for_chunks(from.rows(), kGraphRowsPerChunk, [&](size_t begin, size_t end) {
      round_to_bfloat16(from.row(begin), (end - begin) * from.stride(), to.row(begin));
    });
  }

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
    if (halved()) side.half_last.resize_rows(rows);
    executor_->for_chunks(rows, kGraphRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t j = begin; j < end; ++j) {
        std::fill_n(side.last.row(j), side.last.stride(), 0.0F);
        add_row(gradients, options_.layers, j, side.last.row(j));
        if (halved())
          round_to_bfloat16(side.last.row(j), side.last.stride(), side.half_last.row(j));
      }
    });
  }

  // Adds dLoss/dE^(layer) of the batch's rows.
  void add_direct(const RowGradients& gradients, int layer, Graph::Target out) const {
    executor_->for_chunks(gradients.rows.size(), kGraphRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t j = begin; j < end; ++j) {
        const uint32_t row = gradients.rows[j];
        float* to = out.table.row(row);
        add_row(gradients, layer, j, to);
        if (layer == 0) axpy(1, gradients.ego.row(j), to, out.table.stride());
        if (out.half != nullptr) round_to_bfloat16(to, out.table.stride(), out.half->row(row));
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
