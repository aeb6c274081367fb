// SPDX-License-Identifier: Apache-2.0
#include "samplers/gnno.h"

#include <algorithm>
#include <optional>

#include "divns/options.h"
#include "samplers/candidates.h"
#include "samplers/item_graph.h"

namespace divns {
namespace {

constexpr size_t kGnnoRowsPerChunk = 256;
// Draws from the list of an item before a uniform draw: all of it may be training items of the
// user.
constexpr int kGnnoTries = 16;

struct GnnoOptions {
  int neighbours = 50;
  int longest = 1000;
  int overlaps = 100;
  double max_overlap = 0.5;
  bool skip_neighbours = false;
  int warmup = 50;
  double share = 0.5;

  void declare(Options& options) {
    options.add("gnno.neighbours", neighbours, "number of edges per item in the item graph")
        .range(1, 100000)
        .tune_values({"20", "50", "100"});
    options
        .add("gnno.longest", longest,
             "users with more training pairs than this add no edges to the item graph")
        .range(1);
    options
        .add("gnno.overlaps", overlaps,
             "number of items with the largest neighbourhood overlap that are kept per item")
        .range(1, 100000)
        .tune_values({"50", "100", "200"});
    options
        .add("gnno.max_overlap", max_overlap,
             "items with a larger overlap with the positive are taken for false negatives and left "
             "out")
        .above(0)
        .range(0, 1)
        .tune_values({"0.2", "0.5", "1"});
    options.add("gnno.skip_neighbours", skip_neighbours,
                "leave out items that have an edge with the positive");
    options
        .add("gnno.warmup", warmup,
             "number of epochs over which the largest allowed overlap rises to its full value")
        .range(1)
        .tune_values({"1", "20", "50", "100"});
    options.add("gnno.share", share, "probability of a draw by overlap instead of a uniform draw")
        .range(0, 1)
        .tune_values({"0.25", "0.5", "0.75", "1"});
  }
};

class Gnno final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    context_.emplace(context);
    drawer_.emplace(context.train);
    random_.emplace(context.seed, "gnno");
    const ItemNeighbours graph =
        nearest_items(context.train, static_cast<size_t>(options_.neighbours),
                      static_cast<size_t>(options_.longest), context.executor);
    overlaps_ = overlapping_items(graph, static_cast<size_t>(options_.overlaps),
                                  options_.max_overlap, options_.skip_neighbours, context.executor);
    sums_.resize(overlaps_.items.size());
    for (uint32_t item = 0; item < context.train.item_count; ++item) {
      double sum = 0;
      for (uint64_t e = overlaps_.offsets[item]; e < overlaps_.offsets[item + 1]; ++e)
        sums_[e] = sum += double{overlaps_.weights[e]};
    }
  }

  bool draws_ahead() const override { return true; }

  void propose(const Batch& batch, RowsToRead& rows) override {
    const auto per_row = static_cast<size_t>(context_->negatives);
    drawn_.resize(batch.size() * per_row);
    context_->executor.for_chunks(batch.size(), kGnnoRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        drawer_->prefetch(batch.users[b]);
        Draws draws = random_->draws(batch.epoch, batch.place(b));
        for (size_t i = b * per_row; i < (b + 1) * per_row; ++i)
          drawn_[i] = draw(draws, batch.epoch, batch.users[b], batch.positives[b]);
      }
    });
    rows.items.insert(rows.items.end(), drawn_.begin(), drawn_.end());
  }

  void choose(const Batch& batch, const EmbeddingView& /*view*/, Negatives& negatives) override {
    negatives.reset(batch.size(), static_cast<size_t>(context_->negatives), 1);
    for (size_t i = 0; i < drawn_.size(); ++i) negatives.terms[i].item = drawn_[i];
  }

 private:
  // Overlaps ascend, so the allowed items are the first ones of the list of the positive.
  uint32_t draw(Draws& draws, uint32_t epoch, uint32_t user, uint32_t positive) const {
    const auto weights = overlaps_.weights_of(positive);
    if (!weights.empty() && draws.uniform() < options_.share) {
      const double hardness = std::min(1.0, (static_cast<double>(epoch) + 1) / options_.warmup);
      const auto limit = static_cast<float>(hardness * double{weights.back()});
      const auto allowed =
          hardness < 1 ? std::upper_bound(weights.begin(), weights.end(), limit) - weights.begin()
                       : static_cast<ptrdiff_t>(weights.size());
      const auto begin = sums_.begin() + static_cast<ptrdiff_t>(overlaps_.offsets[positive]);
      for (int i = 0; i < kGnnoTries && allowed > 0; ++i) {
        const auto last = begin + allowed - 1;
        const double at = draws.uniform() * *last;
        const auto found = static_cast<size_t>(std::upper_bound(begin, last, at) - sums_.begin());
        const uint32_t item = overlaps_.items[found];
        if (!drawer_->owns(user, item)) return item;
      }
    }
    return drawer_->draw(draws, user);
  }

  GnnoOptions options_;
  std::optional<SamplerContext> context_;
  std::optional<CandidateDrawer> drawer_;
  std::optional<Random> random_;
  ItemNeighbours overlaps_;
  std::vector<double> sums_;  // of the overlaps in a list up to and including the item
  std::vector<uint32_t> drawn_;
};

}  // namespace

std::unique_ptr<Sampler> make_gnno() {
  return std::make_unique<Gnno>();
}

}  // namespace divns
