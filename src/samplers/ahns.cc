// SPDX-License-Identifier: Apache-2.0
#include "samplers/ahns.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "divns/options.h"
#include "kernels/vectors.h"
#include "samplers/candidate_lists.h"

namespace divns {

std::optional<double> ahns_target(double positive_score, double alpha, double beta, double p) {
  constexpr double kSmallest = 1e-12;
  double base = positive_score + alpha;
  const bool whole = p == std::floor(p);
  if (!whole) base = std::max(base, kSmallest);
  if (std::abs(base) < kSmallest && p < -1) return std::nullopt;
  return beta * std::pow(base, p + 1);
}

namespace {

enum class Similarity { kInnerProduct, kCosine, kSquaredDistance };

struct AhnsOptions {
  CandidateOptions source = {.candidates = 32};
  double alpha = 1;
  double beta = 0.1;
  double p = -2;
  Similarity similarity = Similarity::kInnerProduct;

  void declare(Options& options) {
    source.declare(options, "ahns");
    options.add("ahns.alpha", alpha, "constant that is added to the score of the positive")
        .tune_values({"0.1", "0.5", "1"});
    options.add("ahns.beta", beta, "scale of the target score").tune_values({"0.1", "0.2", "0.4"});
    options.add(
        "ahns.p", p,
        "exponent: the target score is proportional to the power p + 1 of the positive's score");
    options.add_choice("ahns.similarity", similarity,
                       {{"ip", Similarity::kInnerProduct},
                        {"cos", Similarity::kCosine},
                        {"distance", Similarity::kSquaredDistance}},
                       "similarity for the choice: inner product, cosine, or squared distance; "
                       "the loss uses inner products");
  }
};

class Ahns final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    lists_.emplace(context, options_.source, "ahns");
  }

  void propose(const Batch& batch, RowsToRead& rows) override { lists_->draw(batch, rows); }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    negatives.reset(batch.size(), lists_->per_row(), 1);
    lists_->for_each_scored(
        batch, view,
        [&](int, size_t number, std::span<const uint32_t> list, std::span<const float> scores) {
          const size_t row = number / lists_->per_row();
          const Pair pair{view, batch.users[row], options_.similarity};
          const uint32_t positive = batch.positives[row];
          const double positive_score = pair.similarity(
              positive, dot(pair.user(), view.items.row(positive), view.items.stride));
          const auto target =
              ahns_target(positive_score, options_.alpha, options_.beta, options_.p);
          size_t best = 0;
          double nearest = std::numeric_limits<double>::infinity();
          for (size_t j = 0; target && j < list.size(); ++j) {
            const double distance = std::abs(pair.similarity(list[j], scores[j]) - *target);
            if (distance < nearest) {
              nearest = distance;
              best = j;
            }
          }
          negatives.terms[number].item = list[best];
        });
  }

 private:
  // A user vector with what the similarity needs.
  struct Pair {
    const EmbeddingView& view;
    uint32_t id;
    Similarity kind;

    const float* user() const { return view.users.row(id); }
    double similarity(uint32_t item, float inner_product) const {
      if (kind == Similarity::kInnerProduct) return double{inner_product};
      const float* row = view.items.row(item);
      const auto square = [&](const float* x) { return double{dot(x, x, view.items.stride)}; };
      const double squares[] = {square(user()), square(row)};
      if (kind == Similarity::kSquaredDistance)
        return squares[0] + squares[1] - 2 * double{inner_product};
      const double norms = std::sqrt(squares[0] * squares[1]);
      return norms > 0 ? double{inner_product} / norms : 0;
    }
  };

  AhnsOptions options_;
  std::optional<CandidateLists> lists_;
};

}  // namespace

std::unique_ptr<Sampler> make_ahns() {
  return std::make_unique<Ahns>();
}

}  // namespace divns
