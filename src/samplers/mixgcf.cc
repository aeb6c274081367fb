// SPDX-License-Identifier: Apache-2.0
#include "samplers/mixgcf.h"

#include <algorithm>
#include <optional>

#include "divns/options.h"
#include "samplers/candidate_lists.h"
#include "samplers/replay.h"

namespace divns {
namespace {

enum class HopQuery { kPooled, kHop };

class MixGcf final : public Sampler {
 public:
  void declare(Options& options) override {
    source_.declare(options, "mixgcf");
    options.add_choice("mixgcf.hop_query", query_,
                       {{"pooled", HopQuery::kPooled}, {"hop", HopQuery::kHop}},
                       "user vector that scores the candidates of a hop: the pooled one, or that "
                       "of the same hop");
  }

  void start(const SamplerContext& context) override {
    context_.emplace(context);
    lists_.emplace(context, source_, "mixgcf");
    random_.emplace(context.seed, "mixgcf.alpha");
  }

  bool needs_hops() const override { return true; }
  bool reads_single_hops() const override { return true; }
  void propose(const Batch& batch, RowsToRead& rows) override { lists_->draw(batch, rows); }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    const size_t per_row = lists_->per_row();
    const size_t hops = view.item_hops.size();
    negatives.reset(batch.size(), per_row, 2 * hops);
    context_->executor.for_chunks_with_worker(
        batch.size(), CandidateLists::kRowsPerChunk, [&](int worker, size_t begin, size_t end) {
          std::vector<float> shares(per_row * hops);
          for (size_t b = begin; b < end; ++b) {
            shares_of(batch, b, shares);
            for (size_t k = 0; k < per_row; ++k)
              mix(worker, batch.users[b], batch.positives[b], lists_->list(b * per_row + k), view,
                  std::span(shares).subspan(k * hops, hops),
                  &negatives.terms[(b * per_row + k) * negatives.terms_each]);
          }
        });
  }

 private:
  // The weights of the positive in the negatives of row b, for each hop.
  void shares_of(const Batch& batch, size_t b, std::span<float> shares) const {
    if (context_->replay != nullptr) {
      context_->replay->shares(batch, b, shares);
      return;
    }
    Draws draws = random_->draws(batch.epoch, batch.place(b));
    for (float& share : shares) share = draws.uniform_float();
  }

  void mix(int worker, uint32_t user, uint32_t positive, std::span<const uint32_t> list,
           const EmbeddingView& view, std::span<const float> shares, Term* terms) {
    for (size_t l = 0; l < view.item_hops.size(); ++l) {
      const VectorTable& queries = query_ == HopQuery::kPooled ? view.users : view.user_hops[l];
      const auto scores = lists_->score(worker, queries.row(user), view.item_hops[l], list);
      const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
      const auto hop = static_cast<int32_t>(l);
      *terms++ = {positive, hop, shares[l]};
      *terms++ = {list[static_cast<size_t>(best)], hop, 1 - shares[l]};
    }
  }

  CandidateOptions source_;
  HopQuery query_ = HopQuery::kPooled;
  std::optional<SamplerContext> context_;
  std::optional<CandidateLists> lists_;
  std::optional<Random> random_;
};

}  // namespace

std::unique_ptr<Sampler> make_mixgcf() {
  return std::make_unique<MixGcf>();
}

}  // namespace divns
