// SPDX-License-Identifier: Apache-2.0
#include "models/lightgcn.h"

#include <algorithm>
#include <optional>

#include "base/half_table.h"
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
                       "how the hops that products with the graph read are kept: float32, or "
                       "bfloat16, which halves the memory traffic; sums and parameters stay "
                       "float32");
  }
};

// Above this share of the edges, gradients of a batch are spread over a whole table before they are
// propagated: looking up for every edge whether its row is there costs more than adding zeros.
constexpr double kDenseShare = 0.5;

// The vectors of one side, users or items.
struct Side {
  // Hops 1 .. L (hop 0 is the parameter table), as many as are kept in float32. Gradients take
  // their place on the way back.
  std::vector<Table> hops;
  Table pooled;
  std::vector<VectorTable> hop_views;
  // The gradient of the last hop, for the rows of the batch.
  Table last;
  // Hops 0 .. L-1 in bfloat16, which the products read, and `last`; none with float32.
  std::vector<HalfTable> half_hops;
  HalfTable half_last;

  Side(const Table& parameters, size_t layers, HopPrecision precision, bool single_hops)
      : pooled(parameters.rows(), parameters.dim()), last(0, parameters.dim()) {
    const bool halves = precision == HopPrecision::kBfloat16;
    // The next hop is made from all but the last; gradients need two places, or in bfloat16 one.
    const size_t needed = halves ? 1 : std::max(layers - 1, std::min<size_t>(layers, 2));
    hops.assign(single_hops ? layers : needed, Table(parameters.rows(), parameters.dim()));
    if (halves) {
      half_hops.assign(layers, HalfTable(parameters.rows(), parameters.dim()));
      half_last = HalfTable(0, parameters.dim());
    }
    hop_views.push_back(parameters.view());
    for (const Table& hop : hops) hop_views.push_back(hop.view());
  }
  bool halved() const { return !half_hops.empty(); }
  const uint16_t* half(size_t hop) const { return halved() ? half_hops[hop].data() : nullptr; }
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
    single_hops_ = context.single_hops;
    user_side_.emplace(users_, layers, options_.precision, single_hops_);
    item_side_.emplace(items_, layers, options_.precision, single_hops_);
    const size_t pooled_hops = options_.skip_layer0 ? layers : layers + 1;
    pool_weights_.assign(layers + 1, 1.0F / static_cast<float>(pooled_hops));
    if (options_.skip_layer0) pool_weights_[0] = 0;
  }

  int hops() const override { return options_.layers + 1; }

  // Every layer but the last is needed whole, since the next one reads it; the last only where the
  // batch looks, and there the hops are pooled in the same pass.
  void forward(const RowSelection& users, const RowSelection& items) override {
    round_parameters(users_, *user_side_);
    round_parameters(items_, *item_side_);
    for (size_t layer = 1; layer < layers(); ++layer)
      graph_->propagate(to_hop(*item_side_, *user_side_, layer),
                        to_hop(*user_side_, *item_side_, layer));
    const std::vector<SpmmAddend> user_hops = hops_to_pool(*user_side_);
    const std::vector<SpmmAddend> item_hops = hops_to_pool(*item_side_);
    graph_->propagate(to_pool(*item_side_, *user_side_, users, user_hops),
                      to_pool(*user_side_, *item_side_, items, item_hops));
  }

  EmbeddingView view() const override {
    const auto shown = [this](const Side& side) {
      return std::span(side.hop_views).first(single_hops_ ? layers() + 1 : 1);
    };
    return {user_side_->pooled.view(), item_side_->pooled.view(), shown(*user_side_),
            shown(*item_side_), pool_weights_};
  }

  // A^ is symmetric: G_l = dLoss/dE^(l) + A^ G_(l+1), from G_L, which only the batch's rows have.
  // The gradients take the place of the hops, which the next forward makes anew: the fewer tables
  // are touched, the more of them stay in the caches.
  void backward(const RowGradients& users, const RowGradients& items,
                ParameterGradients& user_result, ParameterGradients& item_result) override {
    Graph::Product to_users = from_last(*item_side_, items, graph_->share_of_items(items.rows));
    Graph::Product to_items = from_last(*user_side_, users, graph_->share_of_users(users.rows));
    for (size_t layer = layers(); layer-- > 0;) {
      const std::vector<SpmmAddend> user_parts = direct_gradients(users, layer);
      const std::vector<SpmmAddend> item_parts = direct_gradients(items, layer);
      to_users.addends = user_parts;
      to_items.addends = item_parts;
      aim(to_users, *user_side_, layer);
      aim(to_items, *item_side_, layer);
      graph_->propagate(to_users, to_items);
      to_users = from_gradient(*item_side_, layer);
      to_items = from_gradient(*user_side_, layer);
    }
    user_result = {true, {}, &user_side_->hops[place_of(0)]};
    item_result = {true, {}, &item_side_->hops[place_of(0)]};
  }

 private:
  size_t layers() const { return static_cast<size_t>(options_.layers); }

  void round_parameters(const Table& from, Side& side) const {
    if (!side.halved()) return;
    executor_->for_chunks(from.rows(), kGraphRowsPerChunk, [&](size_t begin, size_t end) {
      round_to_bfloat16(from.row(begin), (end - begin) * from.stride(),
                        side.half_hops[0].row(begin));
    });
  }

  // What the product for the next hop reads.
  static Graph::Product from_hop(const Side& side, size_t hop) {
    if (side.halved()) return {.source = side.hop_views[0], .half_source = side.half(hop)};
    return {.source = side.hop_views[hop]};
  }

  // E^(layer) of a side, whole.
  static Graph::Product to_hop(const Side& from, Side& to, size_t layer) {
    Graph::Product product = from_hop(from, layer - 1);
    if (to.halved())
      product.half_out = to.half_hops[layer].data();
    else
      product.out = to.hops[layer - 1].data();
    return product;
  }

  // The pool of a side for some rows, and where it is looked at E^(L).
  Graph::Product to_pool(const Side& from, Side& to, const RowSelection& selection,
                         std::span<const SpmmAddend> hops) const {
    Graph::Product product = from_hop(from, layers() - 1);
    product.wanted = {selection.all, selection.rows};
    product.sum_weight = pool_weights_[layers()];
    product.addends = hops;
    product.out = to.pooled.data();
    if (single_hops_) product.sums = to.hops[layers() - 1].data();
    return product;
  }
  std::vector<SpmmAddend> hops_to_pool(Side& side) const {
    std::vector<SpmmAddend> parts;
    for (size_t l = 0; l < layers(); ++l)
      if (l > 0 && side.halved())
        parts.push_back({.half_rows = side.half(l),
                         .wide = single_hops_ ? side.hops[l - 1].data() : nullptr,
                         .weight = pool_weights_[l]});
      else
        parts.push_back({.rows = side.hop_views[l].data, .weight = pool_weights_[l]});
    return parts;
  }

  // Where G_layer is kept: two tables take turns. The last one is for the optimiser, in float32.
  static size_t place_of(size_t layer) { return layer % 2; }
  static void aim(Graph::Product& product, Side& side, size_t layer) {
    if (side.halved() && layer > 0)
      product.half_out = side.half_hops[place_of(layer)].data();
    else
      product.out = side.hops[place_of(layer)].data();
  }
  static Graph::Product from_gradient(const Side& side, size_t layer) {
    if (side.halved())
      return {.source = side.hop_views[0], .half_source = side.half(place_of(layer))};
    return {.source = side.hops[place_of(layer)].view()};
  }

  // G_L of a side: a row for each of the batch's, or zeros all around them.
  Graph::Product from_last(Side& side, const RowGradients& gradients, double share) const {
    const bool dense = share > kDenseShare;
    const uint32_t rows = dense ? side.pooled.rows() : static_cast<uint32_t>(gradients.rows.size());
    side.last.resize_rows(rows);
    if (side.halved()) side.half_last.resize_rows(rows);
    const size_t hop = layers();
    executor_->for_chunks(rows, kGraphRowsPerChunk, [&](size_t begin, size_t end) {
      const size_t stride = side.last.stride();
      std::fill_n(side.last.row(begin), (end - begin) * stride, 0.0F);
      for (size_t row = begin; row < end; ++row) {
        const size_t slot = dense ? gradients.slots[row] : row;
        if (slot == kNoSlot) continue;
        axpy(pool_weights_[hop], gradients.pooled.row(slot), side.last.row(row), stride);
        if (!gradients.hops.empty())
          axpy(1, gradients.hops[hop].row(slot), side.last.row(row), stride);
      }
      if (side.halved())
        round_to_bfloat16(side.last.row(begin), (end - begin) * stride, side.half_last.row(begin));
    });
    return {.source = side.last.view(),
            .slots = dense ? nullptr : gradients.slots.data(),
            .half_source = side.halved() ? side.half_last.data() : nullptr};
  }

  // dLoss/dE^(layer) of the batch's rows.
  std::vector<SpmmAddend> direct_gradients(const RowGradients& gradients, size_t layer) const {
    const auto part = [&](const Table& table, float weight) {
      return SpmmAddend{.rows = table.data(), .slots = gradients.slots.data(), .weight = weight};
    };
    std::vector<SpmmAddend> parts;
    if (pool_weights_[layer] != 0) parts.push_back(part(gradients.pooled, pool_weights_[layer]));
    if (!gradients.hops.empty()) parts.push_back(part(gradients.hops[layer], 1));
    if (layer == 0) parts.push_back(part(gradients.ego, 1));
    return parts;
  }

  LightGcnOptions options_;
  const Executor* executor_ = nullptr;
  std::optional<Graph> graph_;
  std::optional<Side> user_side_;
  std::optional<Side> item_side_;
  std::vector<float> pool_weights_;
  bool single_hops_ = true;
};

}  // namespace

std::unique_ptr<Model> make_lightgcn() {
  return std::make_unique<LightGcn>();
}

}  // namespace divns
