// SPDX-License-Identifier: Apache-2.0
#include "samplers/bns.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "divns/options.h"
#include "divns/table.h"
#include "kernels/count_above.h"
#include "kernels/gemm.h"
#include "kernels/vectors.h"
#include "samplers/candidate_lists.h"

namespace divns {

double bns_unbias(double rank, double prior) {
  const double both = 1 - rank - prior + 2 * rank * prior;
  return both > 0 ? (1 - rank) * (1 - prior) / both : 0;
}

namespace {

// Rows whose scores of the reference items are computed by one matrix product.
constexpr size_t kBnsRowsPerChunk = 32;

struct BnsOptions {
  CandidateOptions source = {.candidates = 5, .replacement = false};
  double lambda = 5;
  int reference = 1000;

  void declare(Options& options) {
    source.declare(options, "bns");
    options
        .add("bns.lambda", lambda,
             "weight of sampling an informative true negative against the risk of a false one")
        .range(0)
        .tune_values({"0.1", "1", "5", "10", "15"});
    options
        .add("bns.reference", reference,
             "number of random items per batch that the distribution of a user's scores is "
             "estimated from; 0: all items")
        .range(0);
  }
};

class Bns final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    context_.emplace(context);
    lists_.emplace(context, options_.source, "bns");
    random_.emplace(context.seed, "bns.reference");
    const double pairs = static_cast<double>(std::max<size_t>(context.train.pairs(), 1));
    for (const uint32_t count : item_counts(context.train)) prior_.push_back(count / pairs);
    const auto wanted = static_cast<size_t>(options_.reference);
    all_ = wanted == 0 || wanted >= context.train.item_count;
    reference_.resize(all_ ? context.train.item_count : wanted);
    std::iota(reference_.begin(), reference_.end(), 0U);
    reference_vectors_ = Table(static_cast<uint32_t>(reference_.size()), context.dim);
    scratch_.assign(static_cast<size_t>(context.executor.threads()),
                    {Table(kBnsRowsPerChunk, context.dim),
                     std::vector<float>(kBnsRowsPerChunk * reference_.size())});
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    lists_->draw(batch, rows);
    rows.all_items = rows.all_items || all_;
    if (all_) return;
    Draws draws = random_->draws(batch.epoch, batch.first_place);
    sample_without_replacement(draws, context_->train.item_count, reference_);
    rows.items.insert(rows.items.end(), reference_.begin(), reference_.end());
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    negatives.reset(batch.size(), lists_->per_row(), 1);
    const size_t stride = view.items.stride;
    for (size_t r = 0; r < reference_.size(); ++r)
      std::copy_n(view.items.row(reference_[r]), stride, reference_vectors_.row(r));
    context_->executor.for_chunks_with_worker(
        batch.size(), kBnsRowsPerChunk, [&](int worker, size_t begin, size_t end) {
          auto& [users, scores] = scratch_[static_cast<size_t>(worker)];
          for (size_t b = begin; b < end; ++b)
            std::copy_n(view.users.row(batch.users[b]), stride, users.row(b - begin));
          const MatrixView items{reference_vectors_.data(), reference_.size(), context_->dim,
                                 stride};
          gemm({users.data(), end - begin, context_->dim, stride}, items.transposed(),
               scores.data(), reference_.size());
          for (size_t b = begin; b < end; ++b)
            choose_row(
                worker, batch, b, view,
                std::span(scores).subspan((b - begin) * reference_.size(), reference_.size()),
                negatives);
        });
  }

 private:
  void choose_row(int worker, const Batch& batch, size_t b, const EmbeddingView& view,
                  std::span<const float> reference, Negatives& negatives) {
    const float* user = view.users.row(batch.users[b]);
    const double positive =
        double{dot(user, view.items.row(batch.positives[b]), view.items.stride)};
    for (size_t k = 0; k < lists_->per_row(); ++k) {
      const size_t number = b * lists_->per_row() + k;
      const auto list = lists_->list(number);
      const auto scores = lists_->score(worker, user, view.items, list);
      double least = std::numeric_limits<double>::infinity();
      for (size_t j = 0; j < list.size(); ++j) {
        const size_t below = reference.size() - count_above(reference, scores[j]);
        const double rank =
            static_cast<double>(below) / (static_cast<double>(reference.size()) + 1);
        const double info = 1 / (1 + std::exp(positive - double{scores[j]}));
        const double risk = info * (1 - (1 + options_.lambda) * bns_unbias(rank, prior_[list[j]]));
        if (risk < least) {
          least = risk;
          negatives.terms[number].item = list[j];
        }
      }
    }
  }

  struct Scratch {
    Table users;
    std::vector<float> scores;  // rows of the chunk x reference items
  };

  BnsOptions options_;
  std::optional<SamplerContext> context_;
  std::optional<CandidateLists> lists_;
  std::optional<Random> random_;
  std::vector<double> prior_;  // of each item, that it is a false negative
  bool all_ = false;           // the reference items are all items
  std::vector<uint32_t> reference_;
  Table reference_vectors_;
  std::vector<Scratch> scratch_;  // by worker
};

}  // namespace

std::unique_ptr<Sampler> make_bns() {
  return std::make_unique<Bns>();
}

}  // namespace divns
