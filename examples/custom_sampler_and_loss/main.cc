// SPDX-License-Identifier: Apache-2.0
// A sampler, a loss and a metric of one's own, written against the installed headers only, then
// trained and compared with built-in ones on synthetic data. docs/howto/add-a-sampler.md and
// docs/howto/add-a-loss.md explain the interfaces.
#include <divns/divns.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace {

// Draws n candidates uniformly and takes one with P(j) proportional to exp(s(u, j) / temperature):
// uniform sampling for a large temperature, DNS for a small one.
class SoftDns final : public divns::Sampler {
 public:
  void declare(divns::Options& options) override {
    options.add("soft_dns.candidates", candidates_, "number of candidates (n)").range(1, 10000);
    options.add("soft_dns.temperature", temperature_, "small: hard negatives, large: uniform ones")
        .above(0)
        .tune_log(0.01, 10);
  }

  void start(const divns::SamplerContext& context) override {
    train_ = context.train;
    executor_ = &context.executor;
    per_row_ = static_cast<size_t>(context.negatives);
    random_.emplace(context.seed, "soft_dns");
  }

  // Draws are a function of (epoch, place of the row), so any thread may compute any row.
  void propose(const divns::Batch& batch, divns::RowsToRead& rows) override {
    const auto n = static_cast<size_t>(candidates_);
    drawn_.resize(batch.size() * per_row_ * n);
    executor_->for_chunks(batch.size(), kRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        divns::Draws draws = random_->draws(batch.epoch, batch.place(b), 0);
        const std::span<const uint32_t> owned = train_.row(batch.users[b]);
        for (size_t c = 0; c < per_row_ * n; ++c) {
          uint32_t item = 0;
          do item = draws.below(train_.item_count);
          while (std::binary_search(owned.begin(), owned.end(), item));
          drawn_[b * per_row_ * n + c] = item;
        }
      }
    });
    rows.items = drawn_;  // the vectors that choose() will read
  }

  void choose(const divns::Batch& batch, const divns::EmbeddingView& view,
              divns::Negatives& negatives) override {
    negatives.reset(batch.size(), per_row_, 1);
    executor_->for_chunks(batch.size(), kRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b)
        for (size_t k = 0; k < per_row_; ++k)
          negatives.terms[b * per_row_ + k].item = pick(batch, view, b, k);
    });
  }

 private:
  static constexpr size_t kRowsPerChunk = 64;

  // The largest of s / temperature + Gumbel noise has the softmax distribution.
  uint32_t pick(const divns::Batch& batch, const divns::EmbeddingView& view, size_t b,
                size_t k) const {
    const auto n = static_cast<size_t>(candidates_);
    divns::Draws draws = random_->draws(batch.epoch, batch.place(b), 1 + static_cast<uint32_t>(k));
    const float* user = view.users.row(batch.users[b]);
    uint32_t best = 0;
    double highest = -std::numeric_limits<double>::infinity();
    for (const uint32_t item : std::span(drawn_).subspan((b * per_row_ + k) * n, n)) {
      const float* vector = view.items.row(item);
      double score = 0;
      for (uint32_t d = 0; d < view.users.dim; ++d) score += double{user[d]} * vector[d];
      const double value = score / temperature_ - std::log(-std::log1p(-draws.uniform()));
      if (value > highest) {
        highest = value;
        best = item;
      }
    }
    return best;
  }

  int candidates_ = 10;
  double temperature_ = 0.2;
  divns::Interactions train_;
  const divns::Executor* executor_ = nullptr;
  size_t per_row_ = 1;
  std::optional<divns::Random> random_;
  std::vector<uint32_t> drawn_;
};

// sum_k max(0, margin + s(u, negative k) - s(u, positive)).
class MarginLoss final : public divns::Loss {
 public:
  void declare(divns::Options& options) override {
    options.add("margin_loss.margin", margin_, "required lead of the positive").above(0);
  }

  void rows(const divns::LossInput& in, const divns::LossOutput& out) const override {
    const size_t per_row = in.negatives_per_row;
    for (size_t r = 0; r < in.rows(); ++r) {
      const float weight = in.row_weights.empty() ? 1 : in.row_weights[r];
      out.losses[r] = 0;
      out.positive_slopes[r] = 0;
      for (size_t k = 0; k < per_row; ++k) {
        const double missing =
            margin_ + in.negative_scores[r * per_row + k] - in.positive_scores[r];
        const float slope = missing > 0 ? weight * in.share : 0;
        out.losses[r] += weight * std::max(missing, 0.0);
        out.negative_slopes[r * per_row + k] = slope;
        out.positive_slopes[r] -= slope;
      }
    }
  }

 private:
  double margin_ = 1;
};

double test_recall(const divns::Dataset& data, const char* sampler, const char* loss) {
  divns::TrainOptions options{.sampler = sampler, .seed = 1};
  options.loss = loss;
  options.epochs = 15;
  options.embedding_dim = 32;
  options.learning_rate = 5e-3;
  options.valid_metric = "first@10";  // the metric that main() registers
  const divns::Run run = divns::train(data, options);
  const double recall = divns::evaluate(run.model(), data).mean("recall@20");
  std::cout << sampler << " with " << loss << ": recall@20 " << recall << '\n';
  return recall;
}

}  // namespace

int main() try {
  divns::register_sampler({.name = "soft_dns",
                           .summary = "one of n candidates by the softmax of their scores",
                           .citation = "an example",
                           .make = [] { return std::make_unique<SoftDns>(); }});
  divns::register_loss({.name = "margin_loss",
                        .summary = "sum over negatives of max(0, margin - lead of the positive)",
                        .citation = "an example",
                        .make = [] { return std::make_unique<MarginLoss>(); }});
  divns::register_metric({.name = "first",
                          .formula = "1 / (1 + rank of the first hit), 0 without a hit",
                          .value = [](const divns::RankedHits& hits) {
                            return hits.ranks.empty() ? 0 : 1.0 / (2.0 + hits.ranks[0]);
                          }});
  const auto data = divns::Dataset::synthetic(divns::synth_preset("demo"));
  const double uniform = test_recall(data, "rns", "bpr");
  const double soft = test_recall(data, "soft_dns", "bpr");
  const double margin = test_recall(data, "soft_dns", "margin_loss");
  // All three must have learned; random lists of this dataset find about 2 % of the items.
  return std::min({uniform, soft, margin}) > 0.05 ? 0 : 1;
} catch (const divns::Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
