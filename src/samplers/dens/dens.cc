// SPDX-License-Identifier: Apache-2.0
#include "samplers/dens/dens.h"

#include <algorithm>
#include <optional>

#include "divns/options.h"
#include "samplers/candidate_rows.h"
#include "samplers/dens/gates.h"

namespace divns {
namespace {

constexpr size_t kDensRowsPerChunk = 64;

struct DensOptions {
  int candidates = 6;
  int warmup = 100;
  double gamma = 0.3;
  std::optional<double> alpha;

  void declare(Options& options) {
    options.add("dens.candidates", candidates, "number of candidates per negative")
        .range(1, 65536)
        .tune_log(2, 128);
    options
        .add("dens.warmup", warmup,
             "number of epochs until the weight of the relevant part in the choice reaches 1; 0: "
             "at once")
        .range(0)
        .tune_values({"50", "100", "200", "300"});
    options
        .add(
            "dens.gamma", gamma,
            "weight of the contrastive loss that trains the gates; with 0 they stay as initialised")
        .range(0)
        .tune_values({"0.1", "0.3", "0.5", "1"});
    options
        .add("dens.alpha", alpha,
             "constant weight of the relevant part in the choice, instead of the warm-up")
        .range(0, 1);
  }
};

class Dens final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    context_.emplace(context);
    rows_.emplace(context, CandidateOptions(), "dens");
    gates_.emplace(context.dim, context.hops, static_cast<size_t>(context.negatives), context.seed,
                   context.executor);
  }

  void begin_epoch(uint32_t /*epoch*/, const EmbeddingView& /*view*/) override {
    loss_sum_ = 0;
    batches_ = 0;
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    rows_->draw(batch, lists() * static_cast<size_t>(options_.candidates), candidates_);
    // With more draws than items, nearly all items occur, and the gates are computed once per item.
    if (candidates_.size() > context_->train.item_count)
      rows.all_items = true;
    else
      rows.items = candidates_;
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    const auto hops = static_cast<size_t>(context_->hops);
    negatives.reset(batch.size(), lists(), hops);
    gates_->begin_batch(batch, view);
    gates_->prepare_candidates(candidates_);
    const auto kept = static_cast<float>(1 - relevant_weight(batch.epoch));
    context_->executor.for_chunks(batch.size(), kDensRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t number = begin * lists(); number < end * lists(); ++number)
        for (int hop = 0; hop < context_->hops; ++hop) {
          const size_t winner = best(hop, number, kept);
          gates_->take(hop, number, winner);
          negatives.terms[number * hops + static_cast<size_t>(hop)] = {
              candidates_[winner], hops == 1 ? kEveryHop : hop, 1};
        }
    });
  }

  bool reads_single_hops() const override { return true; }
  bool has_auxiliary_loss() const override { return options_.gamma > 0; }
  double auxiliary_loss(const Batch& /*batch*/, const EmbeddingView& /*view*/,
                        const Negatives& /*negatives*/, ExtraGradients& extra) override {
    const double loss = gates_->loss(options_.gamma, extra);
    loss_sum_ += loss / options_.gamma;
    ++batches_;
    return loss;
  }

  std::vector<SamplerParameters> parameters() override {
    return options_.gamma > 0 ? gates_->parameters() : std::vector<SamplerParameters>();
  }

  std::vector<std::pair<std::string, double>> diagnostics() const override {
    if (batches_ == 0) return {};
    return {{"contrastive_loss", loss_sum_ / static_cast<double>(batches_)}};
  }

 private:
  size_t lists() const { return static_cast<size_t>(context_->negatives); }

  // The weight b in the choice, in [0, 1].
  double relevant_weight(uint32_t epoch) const {
    if (options_.alpha) return *options_.alpha;
    if (options_.warmup == 0) return 1;
    return std::min(1.0, static_cast<double>(epoch) / options_.warmup);
  }

  // The best candidate of a negative; ties go to the first.
  size_t best(int hop, size_t number, float kept) const {
    const auto n = static_cast<size_t>(options_.candidates);
    const size_t row = number / lists();
    size_t winner = number * n;
    float top = gates_->selection_score(hop, row, winner, kept);
    for (size_t c = winner + 1; c < (number + 1) * n; ++c) {
      const float score = gates_->selection_score(hop, row, c, kept);
      if (score > top) {
        top = score;
        winner = c;
      }
    }
    return winner;
  }

  DensOptions options_;
  std::optional<SamplerContext> context_;
  std::optional<CandidateRows> rows_;
  std::optional<DensGates> gates_;
  std::vector<uint32_t> candidates_;
  double loss_sum_ = 0;
  size_t batches_ = 0;
};

}  // namespace

std::unique_ptr<Sampler> make_dens() {
  return std::make_unique<Dens>();
}

}  // namespace divns
