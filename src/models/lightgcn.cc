// SPDX-License-Identifier: Apache-2.0
#include "models/lightgcn.h"

#include <algorithm>
#include <optional>

#include "divns/options.h"
#include "kernels/bfloat16.h"
#include "kernels/vectors.h"
#include "models/both_sides.h"
#include "models/graph.h"
#include "numerics/half_table.h"

namespace divns {
namespace {

constexpr size_t kGraphRowsPerChunk = 128;

enum class HopPrecision { kFloat32, kBfloat16 };

struct LightGcnOptions {
  int layers = 3;
  bool skip_layer0 = false;
  HopPrecision precision = HopPrecision::kFloat32;

  void declare(Options& options) {
    options.add("lightgcn.layers", layers, "number of propagation layers")
        .range(1, 16)
        .alias("layers")
        .alias("n_layers")
        .tune_values({"2", "3", "4"});
    options
        .add("lightgcn.skip_layer0", skip_layer0,
             "average the hops 1 to L only, without the ego embedding")
        .alias("skip_layer0");
    options.add_choice("lightgcn.precision", precision,
                       {{"float32", HopPrecision::kFloat32}, {"bfloat16", HopPrecision::kBfloat16}},
                       "storage of the hops that graph products read: float32, or "
                       "bfloat16, which halves the memory traffic; sums and parameters stay "
                       "float32");
  }
};

// Above this share of the edges, the gradients of a batch are scattered into a whole table before
// they are propagated: looking up for every edge whether its row exists costs more than adding
// zeros.
constexpr double kDenseShare = 0.5;

// Vectors of one side, users or items.
struct Side {
  // Hops 1 .. L (hop 0 is the parameter table), as many as are kept in float32. The backward pass
  // stores gradients in them.
  std::vector<Table> hops;
  Table pooled;
  std::vector<VectorTable> hop_views;
  // The gradient of the last hop, for the rows of the batch.
  Table last;
  // Hops 0 .. L-1 in bfloat16, which the products read, and `last`; none with float32. Rows are
  // multiplied by the scales of their nodes, 1 / sqrt(degree), so that products are plain sums.
  std::span<const float> scales;
  std::vector<HalfTable> half_hops;
  HalfTable half_last;

  Side(const Table& parameters, std::span<const float> node_scales, size_t layers,
       HopPrecision precision, bool single_hops)
      : pooled(parameters.rows(), parameters.dim()),
        last(0, parameters.dim()),
        scales(node_scales) {
    const bool halves = precision == HopPrecision::kBfloat16;
    // The next hop is computed from all but the last. Gradients need two tables, in bfloat16 one.
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
  // Hop 0 in bfloat16. The backward pass overwrites it, and the step that follows writes it anew.
  HalfCopy parameter_copy() { return halved() ? HalfCopy{&half_hops[0], scales} : HalfCopy(); }
  const uint32_t* half(size_t hop) const { return halved() ? half_hops[hop].data() : nullptr; }
};

class LightGcn final : public Model {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const ModelContext& context) override {
    executor_ = &context.executor;
    graph_.emplace(context.train, context.executor, context.blocks);
    users_ = Table(context.train.users(), context.dim);
    items_ = Table(context.train.item_count, context.dim);
    const auto layers = static_cast<size_t>(options_.layers);
    single_hops_ = context.single_hops;
    user_side_.emplace(users_, graph_->user_scales(), layers, options_.precision, single_hops_);
    item_side_.emplace(items_, graph_->item_scales(), layers, options_.precision, single_hops_);
    const size_t pooled_hops = options_.skip_layer0 ? layers : layers + 1;
    pool_weights_.assign(layers + 1, 1.0F / static_cast<float>(pooled_hops));
    if (options_.skip_layer0) pool_weights_[0] = 0;
  }

  int hops() const override { return options_.layers + 1; }
  // Products to items would have to be rounded after the last block.
  bool fits_user_blocks() const override { return options_.precision == HopPrecision::kFloat32; }

  void parameters_written() override {
    if (!user_side_->halved()) return;
    for_rows(0, users_.rows(), items_.rows(), [](Side& side, size_t begin, size_t end) {
      const VectorTable& parameters = side.hop_views[0];
      const HalfCopy copy = side.parameter_copy();
      for (size_t row = begin; row < end; ++row)
        copy.write(row, parameters.row(static_cast<uint32_t>(row)), parameters.stride);
    });
  }

  // Every layer but the last is computed in full, because the next one reads it. The last one is
  // computed only for the rows that the batch reads, and the hops are pooled in the same pass.
  void forward(const RowSelection& users, const RowSelection& items) override {
    for (size_t layer = 1; layer < layers(); ++layer)
      graph_->propagate(layer, to_hop(*item_side_, *user_side_, layer),
                        to_hop(*user_side_, *item_side_, layer));
    const std::vector<SpmmAddend> user_hops = hops_to_pool(*user_side_);
    const std::vector<SpmmAddend> item_hops = hops_to_pool(*item_side_);
    graph_->propagate(layers(), to_pool(*item_side_, *user_side_, users, user_hops),
                      to_pool(*user_side_, *item_side_, items, item_hops));
  }

  EmbeddingView view() const override {
    const auto shown = [this](const Side& side) {
      return std::span(side.hop_views).first(single_hops_ ? layers() + 1 : 1);
    };
    return {user_side_->pooled.view(), item_side_->pooled.view(), shown(*user_side_),
            shown(*item_side_), pool_weights_};
  }

  // A^ is symmetric: G_l = dLoss/dE^(l) + A^ G_(l+1), starting with G_L, which only has the rows of
  // the batch. The gradients overwrite the hops, which the next forward pass recomputes: the fewer
  // tables are touched, the more of them stay in the caches.
  void backward(const RowGradients& users, const RowGradients& items,
                ParameterGradients& user_result, ParameterGradients& item_result) override {
    const LastGradients last_users =
        shape_last(*user_side_, users, graph_->share_of_users(users.rows));
    const LastGradients last_items =
        shape_last(*item_side_, items, graph_->share_of_items(items.rows));
    for_rows(layers(), last_users.rows, last_items.rows, [&](Side& side, size_t begin, size_t end) {
      fill_last(side, &side == &*user_side_ ? last_users : last_items, begin, end);
    });
    Graph::Product to_users = from_last(*item_side_, last_items);
    Graph::Product to_items = from_last(*user_side_, last_users);
    for (size_t layer = layers(); layer-- > 0;) {
      const std::vector<SpmmAddend> user_parts = direct_gradients(users, layer);
      const std::vector<SpmmAddend> item_parts = direct_gradients(items, layer);
      to_users.addends = user_parts;
      to_users.addend_slots = users.slots.data();
      to_items.addends = item_parts;
      to_items.addend_slots = items.slots.data();
      aim(to_users, *user_side_, layer);
      aim(to_items, *item_side_, layer);
      graph_->propagate(layer, to_users, to_items);
      to_users = from_gradient(*item_side_, layer);
      to_items = from_gradient(*user_side_, layer);
    }
    user_result = {true, {}, &user_side_->hops[place_of(0)], user_side_->parameter_copy()};
    item_result = {true, {}, &item_side_->hops[place_of(0)], item_side_->parameter_copy()};
  }

 private:
  size_t layers() const { return static_cast<size_t>(options_.layers); }

  // Calls body(side, begin, end) for chunks of the rows of both sides.
  template <class Body>
  void for_rows(size_t level, size_t user_rows, size_t item_rows, Body&& body) {
    const auto chunks = [](size_t rows) {
      return (rows + kGraphRowsPerChunk - 1) / kGraphRowsPerChunk;
    };
    const auto chunk_of = [&](Side& side, size_t rows) {
      return [&, rows](size_t chunk) {
        const size_t begin = chunk * kGraphRowsPerChunk;
        body(side, begin, std::min(rows, begin + kGraphRowsPerChunk));
      };
    };
    run_both_sides(*executor_, level, chunks(user_rows), chunks(item_rows),
                   chunk_of(*user_side_, user_rows), chunk_of(*item_side_, item_rows));
  }

  // The table that the product for the next hop reads.
  static Graph::Product from_hop(const Side& side, size_t hop) {
    if (side.halved()) return {.source = side.hop_views[0], .half_source = side.half(hop)};
    return {.source = side.hop_views[hop]};
  }

  // E^(layer) of a side, in full.
  static Graph::Product to_hop(const Side& from, Side& to, size_t layer) {
    Graph::Product product = from_hop(from, layer - 1);
    if (to.halved())
      product.half_out = to.half_hops[layer].data();
    else
      product.out = to.hops[layer - 1].data();
    return product;
  }

  // The pooled vectors of some rows of a side, and E^(L) if it is read.
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

  // The table of G_layer: two tables alternate. The last one is for the optimizer, in float32.
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

  // How G_L of a side is stored: one row per row of the batch, or a whole table with zeros
  // elsewhere.
  struct LastGradients {
    const RowGradients& batch;
    bool dense;
    uint32_t rows;
  };
  LastGradients shape_last(Side& side, const RowGradients& batch, double share) const {
    // With several blocks the share depends on the rank, and so must nothing else.
    const bool dense = graph_->is_whole() && share > kDenseShare;
    const uint32_t rows = dense ? side.pooled.rows() : static_cast<uint32_t>(batch.rows.size());
    side.last.resize_rows(rows);
    if (side.halved()) side.half_last.resize_rows(rows);
    return {batch, dense, rows};
  }
  void fill_last(Side& side, const LastGradients& last, size_t begin, size_t end) const {
    const size_t stride = side.last.stride();
    const float weight = pool_weights_[layers()];
    for (size_t row = begin; row < end; ++row) {
      const size_t slot = last.dense ? last.batch.slots[row] : row;
      const float scale = side.scales[last.dense ? row : last.batch.rows[row]];
      if (side.halved() && slot != kNoSlot && last.batch.hops.empty()) {
        round_to_pairs(scale * weight, last.batch.pooled.row(slot), stride,
                       side.half_last.row(row));
        continue;
      }
      float* sum = side.last.row(row);
      std::fill_n(sum, stride, 0.0F);
      if (slot != kNoSlot) {
        axpy(weight, last.batch.pooled.row(slot), sum, stride);
        if (!last.batch.hops.empty()) axpy(1, last.batch.hops[layers()].row(slot), sum, stride);
      }
      if (side.halved()) round_to_pairs(scale, sum, stride, side.half_last.row(row));
    }
  }
  static Graph::Product from_last(const Side& side, const LastGradients& last) {
    return {.source = side.last.view(),
            .slots = last.dense ? nullptr : last.batch.slots.data(),
            .half_source = side.halved() ? side.half_last.data() : nullptr};
  }

  // dLoss/dE^(layer) for the rows of the batch.
  std::vector<SpmmAddend> direct_gradients(const RowGradients& gradients, size_t layer) const {
    std::vector<SpmmAddend> parts;
    if (pool_weights_[layer] != 0)
      parts.push_back({.rows = gradients.pooled.data(), .weight = pool_weights_[layer]});
    if (!gradients.hops.empty()) parts.push_back({.rows = gradients.hops[layer].data()});
    if (layer == 0) parts.push_back({.rows = gradients.ego.data()});
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
