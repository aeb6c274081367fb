// SPDX-License-Identifier: Apache-2.0
#include "samplers/adasir.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/check.h"
#include "divns/options.h"
#include "divns/tensors.h"
#include "kernels/vectors.h"
#include "numerics/harmonic.h"
#include "samplers/candidates.h"

namespace divns {

void sir_log_weights(std::span<double> scores, std::span<const double> log_proposal) {
  double top = -std::numeric_limits<double>::infinity();
  for (size_t j = 0; j < scores.size(); ++j) {
    scores[j] -= log_proposal[j];
    top = std::max(top, scores[j]);
  }
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - top);
  for (double& score : scores) score -= top + std::log(sum);
}

void importance_of(Importance kind, std::span<float> x, std::span<const float> log_weights) {
  const float sign = kind == Importance::kCode ? 1 : -1;
  if (kind != Importance::kUniform)
    for (size_t k = 0; k < x.size(); ++k) x[k] += sign * log_weights[k];
  const float top = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const float value : x) sum += std::exp(double{value} - double{top});
  for (float& value : x) value = static_cast<float>(std::exp(double{value} - double{top}) / sum);
}

double rank_weight(uint64_t rank) {
  return rank <= 2 ? 1 : harmonic_number(rank - 1);
}

namespace {

constexpr size_t kAdasirRowsPerChunk = 256;
constexpr size_t kAdasirUsersPerChunk = 64;

enum class RankWeight { kOff, kCorrected, kCode };

struct AdaSirOptions {
  CandidateOptions source = {.candidates = 200};
  int pool_size = 50;
  int renew_every = 10000;
  Importance importance = Importance::kOff;
  RankWeight rank_weight = RankWeight::kOff;

  void declare(Options& options) {
    options
        .add("adasir.candidates", source.candidates,
             "number of candidates drawn per user and epoch (C)")
        .range(1, 100000)
        .tune_values({"100", "200", "500", "1000", "2000"});
    source.declare_source(options, "adasir");
    options.add("adasir.pool_size", pool_size, "number of items in the pool of a user (S)")
        .range(1, 100000)
        .tune_values({"10", "20", "50", "200", "1000"});
    options
        .add("adasir.renew_every", renew_every,
             "number of epochs between full rebuilds of the pool")
        .range(1);
    options.add_choice(
        "adasir.importance", importance,
        {{"off", Importance::kOff},
         {"uniform", Importance::kUniform},
         {"code", Importance::kCode},
         {"divide", Importance::kDivide}},
        "weights of the losses of the K negatives: none, uniform, as in the authors' code, or "
        "corrected for the draw");
    options.add_choice(
        "adasir.rank_weight", rank_weight,
        {{"off", RankWeight::kOff},
         {"corrected", RankWeight::kCorrected},
         {"code", RankWeight::kCode}},
        "weight of a positive by its estimated rank: none, larger for low-ranked positives, or as "
        "in the authors' code, larger for high-ranked ones");
  }
};

class AdaSir final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    context_.emplace(context);
    drawer_.emplace(context.train, options_.source);
    pool_random_.emplace(context.seed, "adasir.pool");
    pick_random_.emplace(context.seed, "adasir.pick");
    const size_t places = size_t{context.train.users()} * pool_size();
    pool_items_.assign(places, 0);
    pool_log_weights_.assign(places, 0);
    if (options_.rank_weight != RankWeight::kOff) pair_weights_.assign(context.train.pairs(), 1);
    scratch_.assign(static_cast<size_t>(context.executor.threads()), {});
  }

  bool reads_epoch_vectors() const override { return true; }
  bool weights_negatives() const override { return options_.importance != Importance::kOff; }

  void begin_epoch(uint32_t epoch, const EmbeddingView& view) override {
    context_->executor.for_chunks_with_worker(
        context_->train.users(), kAdasirUsersPerChunk, [&](int worker, size_t begin, size_t end) {
          for (size_t user = begin; user < end; ++user)
            renew(epoch, static_cast<uint32_t>(user), view, scratch_[static_cast<size_t>(worker)]);
        });
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    const auto k = static_cast<size_t>(context_->negatives);
    const auto size = static_cast<uint32_t>(pool_size());
    places_.resize(batch.size() * k);
    rows.items.resize(places_.size());
    context_->executor.for_chunks(batch.size(), kAdasirRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        Draws draws = pick_random_->draws(batch.epoch, batch.place(b));
        for (size_t i = b * k; i < (b + 1) * k; ++i) {
          places_[i] = size_t{batch.users[b]} * size + draws.below(size);
          rows.items[i] = pool_items_[places_[i]];
        }
      }
    });
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    const auto k = static_cast<size_t>(context_->negatives);
    negatives.reset(batch.size(), k, 1);
    for (size_t i = 0; i < places_.size(); ++i) negatives.terms[i].item = pool_items_[places_[i]];
    if (options_.importance != Importance::kOff) weigh_negatives(batch, view, negatives);
    if (options_.rank_weight != RankWeight::kOff)
      for (const uint64_t pair : batch.pairs) negatives.row_weights.push_back(pair_weights_[pair]);
  }

  void save(TensorWriter& out) const override {
    out.add("pool_items", pool_items_);
    out.add("pool_log_weights", pool_log_weights_);
  }

  void load(const TensorReader& in) override {
    in.read("pool_items", std::span(pool_items_));
    in.read("pool_log_weights", std::span(pool_log_weights_));
    for (const uint32_t item : pool_items_)
      if (item >= context_->train.item_count)
        fail("{} has a pool with item {}, but there are only {} items; it belongs to other data.",
             in.file_name(), item, context_->train.item_count);
  }

 private:
  struct Scratch {
    std::vector<uint32_t> items;
    std::vector<float> scores;
    std::vector<double> log_weights;
    std::vector<double> log_proposal;
    std::vector<double> sums;
    std::vector<uint32_t> pool_items;  // the old pool, then the new one
    std::vector<float> pool_log_weights;
  };

  size_t pool_size() const { return static_cast<size_t>(options_.pool_size); }

  void renew(uint32_t epoch, uint32_t user, const EmbeddingView& view, Scratch& scratch) {
    const Interactions& train = context_->train;
    if (train.row(user).empty() || drawer_->available(user) == 0) return;
    Draws draws = pool_random_->draws(epoch, user);
    draw_candidates(draws, user, view, scratch);
    if (options_.rank_weight != RankWeight::kOff) weigh_positives(user, view, scratch);
    resample(draws, user, scratch);
    const bool fresh = epoch % static_cast<uint32_t>(options_.renew_every) == 0;
    const size_t size = pool_size();
    for (size_t i = 0; i < size; ++i) {
      const size_t from = fresh ? size + i : draws.below(static_cast<uint32_t>(2 * size));
      pool_items_[user * size + i] = scratch.pool_items[from];
      pool_log_weights_[user * size + i] = scratch.pool_log_weights[from];
    }
  }

  // Draws C candidates and computes their scores and log w.
  void draw_candidates(Draws& draws, uint32_t user, const EmbeddingView& view, Scratch& scratch) {
    const auto count = static_cast<size_t>(options_.source.candidates);
    scratch.items.resize(count);
    scratch.scores.resize(count);
    scratch.log_proposal.resize(count);
    drawer_->draw_with_replacement(draws, user, scratch.items);
    gather_scores(view.users.row(user), view.items, scratch.items.data(), count,
                  scratch.scores.data());
    for (size_t j = 0; j < count; ++j)
      scratch.log_proposal[j] = drawer_->log_weight(scratch.items[j]);
    scratch.log_weights.assign(scratch.scores.begin(), scratch.scores.end());
    sir_log_weights(scratch.log_weights, scratch.log_proposal);
  }

  // Writes the old pool, then S draws from the candidates by their weights.
  void resample(Draws& draws, uint32_t user, Scratch& scratch) {
    const size_t size = pool_size();
    const auto old = static_cast<ptrdiff_t>(user * size);
    const auto end = static_cast<ptrdiff_t>((user + size_t{1}) * size);
    scratch.pool_items.assign(pool_items_.begin() + old, pool_items_.begin() + end);
    scratch.pool_log_weights.assign(pool_log_weights_.begin() + old,
                                    pool_log_weights_.begin() + end);
    scratch.sums.clear();
    double sum = 0;
    for (const double log_weight : scratch.log_weights)
      scratch.sums.push_back(sum += std::exp(log_weight));
    for (size_t i = 0; i < size; ++i) {
      const double at = draws.uniform() * sum;
      const auto found = std::upper_bound(scratch.sums.begin(), scratch.sums.end(), at);
      const auto j =
          std::min(static_cast<size_t>(found - scratch.sums.begin()), scratch.sums.size() - 1);
      scratch.pool_items.push_back(scratch.items[j]);
      scratch.pool_log_weights.push_back(static_cast<float>(scratch.log_weights[j]));
    }
  }

  // The rank of a positive among all items, estimated from its rank among the candidates.
  void weigh_positives(uint32_t user, const EmbeddingView& view, Scratch& scratch) {
    const Interactions& train = context_->train;
    std::vector<float>& scores = scratch.scores;
    std::sort(scores.begin(), scores.end());
    for (uint64_t pair = train.offsets[user]; pair < train.offsets[user + 1]; ++pair) {
      const float positive =
          dot(view.users.row(user), view.items.row(train.items[pair]), view.items.stride);
      const auto below = std::lower_bound(scores.begin(), scores.end(), positive) - scores.begin();
      const auto above = scores.end() - std::upper_bound(scores.begin(), scores.end(), positive);
      const auto counted =
          static_cast<uint64_t>(options_.rank_weight == RankWeight::kCode ? below : above);
      pair_weights_[pair] =
          static_cast<float>(rank_weight(counted * (train.item_count - 1) / scores.size()));
    }
  }

  void weigh_negatives(const Batch& batch, const EmbeddingView& view, Negatives& negatives) {
    const size_t k = negatives.per_row;
    negatives.importance.resize(places_.size());
    log_weights_.resize(places_.size());
    context_->executor.for_chunks(batch.size(), kAdasirRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        const float* user = view.users.row(batch.users[b]);
        const float positive = dot(user, view.items.row(batch.positives[b]), view.items.stride);
        for (size_t i = b * k; i < (b + 1) * k; ++i) {
          const float* item = view.items.row(negatives.terms[i].item);
          negatives.importance[i] = dot(user, item, view.items.stride) - positive;
          log_weights_[i] = pool_log_weights_[places_[i]];
        }
        importance_of(options_.importance, std::span(negatives.importance).subspan(b * k, k),
                      std::span(log_weights_).subspan(b * k, k));
      }
    });
  }

  AdaSirOptions options_;
  std::optional<SamplerContext> context_;
  std::optional<CandidateDrawer> drawer_;
  std::optional<Random> pool_random_;
  std::optional<Random> pick_random_;
  std::vector<uint32_t> pool_items_;     // users x S
  std::vector<float> pool_log_weights_;  // users x S, log w
  std::vector<float> pair_weights_;      // of each training pair, if rank_weight is not off
  std::vector<size_t> places_;           // positions of the negatives of the batch in the pools
  std::vector<float> log_weights_;       // of the negatives of the batch
  std::vector<Scratch> scratch_;
};

}  // namespace

std::unique_ptr<Sampler> make_adasir() {
  return std::make_unique<AdaSir>();
}

}  // namespace divns
