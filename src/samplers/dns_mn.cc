// SPDX-License-Identifier: Apache-2.0
#include "samplers/dns_mn.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/check.h"
#include "divns/options.h"
#include "samplers/candidate_lists.h"

namespace divns {

uint32_t draw_rank(RankLaw law, uint32_t ranks, Draws& draws) {
  if (law == RankLaw::kUniform) return draws.below(ranks);
  double total = 0;
  for (uint32_t r = 1; r <= ranks; ++r) total += 1.0 / r;
  double left = draws.uniform() * total;
  for (uint32_t r = 1; r < ranks; ++r)
    if ((left -= 1.0 / r) < 0) return r - 1;
  return ranks - 1;
}

namespace {

struct DnsMnOptions {
  CandidateOptions source = {.most_tuned = 512};
  int top = 2;
  RankLaw rank_law = RankLaw::kUniform;
  bool use_all_m = false;

  void declare(Options& options) {
    source.declare(options, "dns_mn");
    options
        .add("dns_mn.top", top,
             "number of highest-scoring candidates that the negative is drawn from (M)")
        .range(1, 100000)
        .tune_log(1, 64);
    options.add_choice(
        "dns_mn.rank_law", rank_law,
        {{"uniform", RankLaw::kUniform}, {"harmonic", RankLaw::kHarmonic}},
        "distribution over the M best candidates: uniform, or proportional to 1 / rank");
    options.add("dns_mn.use_all_m", use_all_m,
                "average the loss over all M candidates instead of drawing one");
  }
};

class DnsMn final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    if (options_.top > options_.source.candidates)
      fail(
          "dns_mn.top is {} but only {} candidates are drawn; it must not be larger than "
          "dns_mn.candidates.",
          options_.top, options_.source.candidates);
    lists_.emplace(context, options_.source, "dns_mn");
    random_.emplace(context.seed, "dns_mn.rank");
    order_.assign(static_cast<size_t>(context.executor.threads()), {});
  }

  bool fits_blocks() const override { return true; }
  bool weights_negatives() const override { return options_.use_all_m; }

  void propose(const Batch& batch, RowsToRead& rows) override { lists_->draw(batch, rows); }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    const size_t each = options_.use_all_m ? static_cast<size_t>(options_.top) : 1;
    negatives.reset(batch.size(), lists_->per_row() * each, 1);
    if (options_.use_all_m) negatives.importance.assign(negatives.terms.size(), 0);
    lists_->for_each_scored(batch, view,
                            [&](int worker, size_t number, std::span<const uint32_t> list,
                                std::span<const float> scores) {
                              const std::span<const uint32_t> best = best_of(worker, scores);
                              if (options_.use_all_m) {
                                take_all(number, list, best, negatives);
                                return;
                              }
                              const size_t row = number / lists_->per_row();
                              Draws draws =
                                  random_->draws(batch.epoch, batch.place(row),
                                                 static_cast<uint32_t>(number % lists_->per_row()));
                              const uint32_t rank = draw_rank(
                                  options_.rank_law, static_cast<uint32_t>(best.size()), draws);
                              negatives.terms[number].item = list[best[rank]];
                            });
  }

 private:
  // Indices of the M best scores (of all, if there are fewer), best first, ties in list order.
  std::span<const uint32_t> best_of(int worker, std::span<const float> scores) {
    std::vector<uint32_t>& order = order_[static_cast<size_t>(worker)];
    order.resize(scores.size());
    std::iota(order.begin(), order.end(), 0U);
    const size_t count = std::min(scores.size(), static_cast<size_t>(options_.top));
    std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count), order.end(),
                      [&](uint32_t a, uint32_t b) {
                        return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                      });
    return {order.data(), count};
  }

  // Importance sums to 1 over a row; entries beyond the end of a short list have none.
  void take_all(size_t number, std::span<const uint32_t> list, std::span<const uint32_t> best,
                Negatives& negatives) const {
    const auto each = static_cast<size_t>(options_.top);
    const float share = 1.0F / static_cast<float>(best.size() * lists_->per_row());
    for (size_t r = 0; r < each; ++r) {
      negatives.terms[number * each + r].item = list[best[std::min(r, best.size() - 1)]];
      if (r < best.size()) negatives.importance[number * each + r] = share;
    }
  }

  DnsMnOptions options_;
  std::optional<CandidateLists> lists_;
  std::optional<Random> random_;
  std::vector<std::vector<uint32_t>> order_;
};

}  // namespace

std::unique_ptr<Sampler> make_dns_mn() {
  return std::make_unique<DnsMn>();
}

}  // namespace divns
