// SPDX-License-Identifier: Apache-2.0
#include "samplers/scone/scone.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/check.h"
#include "divns/options.h"
#include "kernels/vectors.h"
#include "samplers/candidate_rows.h"
#include "samplers/pooled_vector.h"
#include "samplers/scone/info_nce.h"
#include "samplers/scone/network.h"
#include "samplers/scone/reverse.h"

namespace divns {
namespace {

constexpr size_t kSconeRowsPerChunk = 256;
// Number of rows of score matching that are in memory at a time.
constexpr size_t kMatchingRows = 4096;

struct SconeOptions {
  double cl_weight = 0.5;
  double temperature = 0.2;
  double negative_weight = 0.9;
  double sampling_ratio = 0.1;
  VeSde sde;
  std::vector<int> score_dims = {64, 128};
  int score_rows = 2048;
  double score_learning_rate = 1e-3;
  int score_warmup = 10000;
  double score_clip = 1;
  bool detach_score = false;
  double norm_weight = 0;

  void declare(Options& options) {
    options
        .add("scone.cl_weight", cl_weight,
             "weight of the contrastive loss between views; 0: sampler only")
        .range(0)
        .tune_values({"0", "0.1", "0.5"});
    options.add("scone.temperature", temperature, "temperature of the contrastive loss")
        .range(0.05)
        .tune_values({"0.1", "0.2", "0.5"});
    options
        .add("scone.negative_weight", negative_weight,
             "weight of the negative in the mixture with the positive at every step")
        .range(0, 1)
        .tune_values({"0.7", "0.8", "0.9", "0.95"});
    options
        .add("scone.sampling_ratio", sampling_ratio,
             "share of the diffusion that vectors are noised to, and of the steps back")
        .range(1e-4, 1);
    options.add("scone.diffusion_steps", sde.steps, "number of steps of the whole diffusion")
        .range(1, 10000);
    options.add("scone.sigma_min", sde.sigma_min, "noise level at the start of the diffusion")
        .above(0);
    options.add("scone.sigma_max", sde.sigma_max, "noise level at the end of the diffusion")
        .above(0);
    options.add("scone.score_dims", score_dims, "inner and hidden width of the score network")
        .range(1, 4096);
    options
        .add(
            "scone.score_rows", score_rows,
            "number of random users and items per batch that the score network learns from; 0: all")
        .range(0);
    options
        .add("scone.score_learning_rate", score_learning_rate, "learning rate of the score network")
        .above(0);
    options
        .add("scone.score_warmup", score_warmup,
             "number of batches over which the learning rate of the score network rises from 0")
        .range(1);
    options
        .add("scone.score_clip", score_clip,
             "maximum norm of the gradient of the score network; 0: no limit")
        .range(0);
    options.add(
        "scone.detach_score", detach_score,
        "leave the Jacobian of the score network out of the gradient of negatives and views");
    options
        .add(
            "scone.norm_weight", norm_weight,
            "weight of the authors' regulariser (|users| + |positives|) / batch, with the norms of "
            "whole matrices of pooled vectors; use it with l2 = 0")
        .range(0);
  }
};

class Scone final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    if (options_.sde.sigma_max <= options_.sde.sigma_min)
      fail("scone.sigma_max is {}, but must be larger than scone.sigma_min, which is {}.",
           options_.sde.sigma_max, options_.sde.sigma_min);
    if (options_.score_dims.size() != 2)
      fail("scone.score_dims has {} numbers; it takes two, the inner and the hidden width.",
           options_.score_dims.size());
    path_.steps = reverse_steps(options_.sde, options_.sampling_ratio);
    if (path_.steps.empty())
      fail("scone.sampling_ratio {} of {} steps is less than one step; raise one of them.",
           options_.sampling_ratio, options_.sde.steps);
    path_.keep = static_cast<float>(options_.negative_weight);
    path_.detach_score = options_.detach_score;
    context_.emplace(context);
    rows_.emplace(context, CandidateOptions(), "scone");
    matching_random_.emplace(context.seed, "scone.matching");
    const auto hidden = static_cast<uint32_t>(options_.score_dims[1]);
    network_.emplace(context.dim, static_cast<uint32_t>(options_.score_dims[0]), hidden,
                     context.seed);
    function_.emplace(context.dim, hidden, context.executor);
    injection_.emplace(*function_, Random(context.seed, "scone.injection"), context.executor);
    views_.emplace(*function_, Random(context.seed, "scone.views"), context.executor);
    info_nce_.emplace(context.dim, context.executor);
    for (Table* table : {&positives_, &positive_gradients_, &negative_gradients_, &view_1_,
                         &view_2_, &view_gradients_1_, &view_gradients_2_, &clean_, &noise_})
      *table = Table(0, context.dim);
  }

  void begin_epoch(uint32_t /*epoch*/, const EmbeddingView& /*view*/) override {
    matching_sum_ = contrastive_sum_ = 0;
    batches_ = 0;
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    rows_->draw(batch, per_row(), drawn_);
    rows.all_users = rows.all_items = true;  // score matching may read any row
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    network_->fold(*function_);
    path_.levels.clear();
    for (const ReverseStep& step : path_.steps)
      path_.levels.push_back(function_->at_level(step.sigma));

    negatives.reset(batch.size(), per_row(), 0);
    negatives.free_vectors = true;
    if (negatives.vectors.dim() != context_->dim) negatives.vectors = Table(0, context_->dim);
    const auto count = static_cast<uint32_t>(drawn_.size());
    negatives.vectors.resize_rows(count);
    positives_.resize_rows(count);
    context_->executor.for_chunks(count, kSconeRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t n = begin; n < end; ++n) {
        pooled_item(view, drawn_[n], negatives.vectors.row(n));
        pooled_item(view, batch.positives[n / per_row()], positives_.row(n));
      }
    });
    const auto number = static_cast<uint32_t>(batch.step);
    injection_->add_noise(path_, number, negatives.vectors, &positives_);
    injection_->forward(path_, number, negatives.vectors, &positives_);
  }

  void backward(const Batch& batch, const EmbeddingView& /*view*/, const Table& vector_gradients,
                ExtraGradients& extra) override {
    const auto count = static_cast<uint32_t>(drawn_.size());
    negative_gradients_.resize_rows(count);
    positive_gradients_.resize_rows(count);
    std::copy_n(vector_gradients.data(), size_t{count} * vector_gradients.stride(),
                negative_gradients_.data());
    injection_->backward(path_, negative_gradients_, &positive_gradients_);
    const size_t first = add_entries(extra, 2 * size_t{count});
    for (size_t n = 0; n < count; ++n) {
      set_entry(extra, first + n, GradientTarget::Side::kItem, drawn_[n],
                negative_gradients_.row(n));
      set_entry(extra, first + count + n, GradientTarget::Side::kItem,
                batch.positives[n / per_row()], positive_gradients_.row(n));
    }
  }

  bool needs_hops() const override { return true; }
  bool reads_single_hops() const override { return true; }
  bool has_auxiliary_loss() const override { return true; }
  double auxiliary_loss(const Batch& batch, const EmbeddingView& view,
                        const Negatives& /*negatives*/, ExtraGradients& extra) override {
    learning_rate_ = options_.score_learning_rate *
                     std::min(1.0, (static_cast<double>(batch.step) + 1) / options_.score_warmup);
    matching_sum_ += match_scores(batch, view);
    ++batches_;
    double loss = 0;
    if (options_.cl_weight > 0) {
      const double contrastive = contrast_views(batch, view, extra);
      contrastive_sum_ += contrastive / options_.cl_weight;
      loss += contrastive;
    }
    if (options_.norm_weight > 0) loss += norm_loss(batch, view, extra);
    return loss;
  }

  std::vector<SamplerParameters> parameters() override {
    return network_->parameters(learning_rate_);
  }

  std::vector<std::pair<std::string, double>> diagnostics() const override {
    if (batches_ == 0) return {};
    const auto batches = static_cast<double>(batches_);
    std::vector<std::pair<std::string, double>> out = {{"score_loss", matching_sum_ / batches}};
    if (options_.cl_weight > 0) out.emplace_back("contrastive_loss", contrastive_sum_ / batches);
    return out;
  }

 private:
  size_t per_row() const { return static_cast<size_t>(context_->negatives); }

  static void pooled_item(const EmbeddingView& view, uint32_t item, float* out) {
    pooled_vector(view, view.item_hops, item, out);
  }

  // Score matching on the vectors of users and items, treated as constants: a random sample, or
  // all.
  double match_scores(const Batch& batch, const EmbeddingView& view) {
    const uint32_t users = view.users.rows;
    const size_t nodes = size_t{users} + view.items.rows;
    const size_t total = options_.score_rows > 0 ? static_cast<size_t>(options_.score_rows) : nodes;
    const double weight = 1 / (static_cast<double>(total) * context_->dim);
    double loss = 0;
    for (size_t first = 0; first < total; first += kMatchingRows) {
      const size_t rows = std::min(kMatchingRows, total - first);
      clean_.resize_rows(static_cast<uint32_t>(rows));
      noise_.resize_rows(static_cast<uint32_t>(rows));
      sigmas_.resize(rows);
      context_->executor.for_chunks(rows, kSconeRowsPerChunk, [&](size_t begin, size_t end) {
        for (size_t r = begin; r < end; ++r) {
          Draws draws = matching_random_->draws(static_cast<uint32_t>(batch.step),
                                                static_cast<uint32_t>(first + r));
          const size_t node = options_.score_rows > 0 ? draws.below64(nodes) : first + r;
          if (node < users)
            pooled_vector(view, view.user_hops, static_cast<uint32_t>(node), clean_.row(r));
          else
            pooled_item(view, static_cast<uint32_t>(node - users), clean_.row(r));
          const double t = VeSde::kEarliest + (1 - VeSde::kEarliest) * draws.uniform();
          sigmas_[r] = options_.sde.sigma(t);
          for (uint32_t k = 0; k < context_->dim; ++k)
            noise_.row(r)[k] = static_cast<float>(draws.normal());
        }
      });
      loss += function_->matching_loss(clean_, noise_, sigmas_, weight, first > 0);
    }
    network_->unfold_gradients(*function_, options_.score_clip);
    return loss;
  }

  // Users first, then items (positives and drawn negatives), each once.
  double contrast_views(const Batch& batch, const EmbeddingView& view, ExtraGradients& extra) {
    distinct_.assign(batch.users.begin(), batch.users.end());
    const size_t users = keep_distinct(distinct_, 0);
    distinct_.insert(distinct_.end(), batch.positives.begin(), batch.positives.end());
    distinct_.insert(distinct_.end(), drawn_.begin(), drawn_.end());
    const size_t rows = keep_distinct(distinct_, users);
    for (Table* table : {&view_1_, &view_2_, &view_gradients_1_, &view_gradients_2_})
      table->resize_rows(static_cast<uint32_t>(rows));
    context_->executor.for_chunks(rows, kSconeRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t r = begin; r < end; ++r)
        pooled_vector(view, r < users ? view.user_hops : view.item_hops, distinct_[r],
                      view_1_.row(r));
    });
    const auto number = static_cast<uint32_t>(batch.step);
    views_->add_noise(path_, number, view_1_, nullptr);
    std::copy_n(view_1_.data(), rows * view_1_.stride(), view_2_.data());
    views_->forward(path_, number, view_2_, nullptr);

    double loss = 0;
    for (const auto& [begin, count] : {std::pair(size_t{0}, users), std::pair(users, rows - users)})
      loss += info_nce_->loss(view_1_, view_2_, begin, count, options_.temperature,
                              options_.cl_weight, view_gradients_1_, view_gradients_2_);
    views_->backward(path_, view_gradients_2_, nullptr);
    const size_t first = add_entries(extra, rows);
    context_->executor.for_chunks(rows, kSconeRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t r = begin; r < end; ++r) {
        axpy(1, view_gradients_1_.row(r), view_gradients_2_.row(r), view_1_.stride());
        set_entry(extra, first + r,
                  r < users ? GradientTarget::Side::kUser : GradientTarget::Side::kItem,
                  distinct_[r], view_gradients_2_.row(r));
      }
    });
    return loss;
  }

  // Sorts the values from `begin` on and removes duplicates; returns the new size.
  static size_t keep_distinct(std::vector<uint32_t>& values, size_t begin) {
    const auto first = values.begin() + static_cast<ptrdiff_t>(begin);
    std::sort(first, values.end());
    values.erase(std::unique(first, values.end()), values.end());
    return values.size();
  }

  // weight (|U|_F + |P|_F) / B over the rows of the batch; d|M|/dm = m / |M|.
  double norm_loss(const Batch& batch, const EmbeddingView& view, ExtraGradients& extra) {
    const size_t rows = batch.size();
    const double each = options_.norm_weight / static_cast<double>(rows);
    const size_t first = add_entries(extra, 2 * rows);
    double loss = 0;
    for (const auto side : {GradientTarget::Side::kUser, GradientTarget::Side::kItem}) {
      const bool is_user = side == GradientTarget::Side::kUser;
      const size_t offset = first + (is_user ? 0 : rows);
      double squares = 0;
      for (size_t b = 0; b < rows; ++b) {
        const uint32_t row = is_user ? batch.users[b] : batch.positives[b];
        float* out = extra.vectors.row(offset + b);
        extra.targets[offset + b] = {side, row, kEveryHop};
        pooled_vector(view, is_user ? view.user_hops : view.item_hops, row, out);
        squares += double{dot(out, out, extra.vectors.stride())};
      }
      const double norm = std::sqrt(squares);
      loss += each * norm;
      const auto factor = static_cast<float>(norm > 0 ? each / norm : 0);
      float* all = extra.vectors.row(offset);
      for (size_t i = 0; i < rows * extra.vectors.stride(); ++i) all[i] *= factor;
    }
    return loss;
  }

  SconeOptions options_;
  std::optional<SamplerContext> context_;
  std::optional<CandidateRows> rows_;
  std::optional<Random> matching_random_;
  std::optional<SconeNetwork> network_;
  std::optional<ScoreFunction> function_;
  ReversePath path_;
  std::optional<ReverseRun> injection_;
  std::optional<ReverseRun> views_;
  std::optional<InfoNce> info_nce_;
  double learning_rate_ = 0;

  std::vector<uint32_t> drawn_;
  Table positives_;
  Table positive_gradients_;
  Table negative_gradients_;
  std::vector<uint32_t> distinct_;
  Table view_1_;
  Table view_2_;
  Table view_gradients_1_;
  Table view_gradients_2_;
  Table clean_;
  Table noise_;
  std::vector<double> sigmas_;
  double matching_sum_ = 0;
  double contrastive_sum_ = 0;
  size_t batches_ = 0;
};

}  // namespace

std::unique_ptr<Sampler> make_scone() {
  return std::make_unique<Scone>();
}

}  // namespace divns
