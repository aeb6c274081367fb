// SPDX-License-Identifier: Apache-2.0
#include "samplers/rns.h"

#include <optional>

#include "samplers/candidates.h"

namespace divns {
namespace {

constexpr size_t kRowsPerChunk = 512;

class Rns final : public Sampler {
 public:
  void start(const SamplerContext& context) override {
    context_.emplace(context);
    drawer_.emplace(context.train);
    random_.emplace(context.seed, "rns");
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    const auto k = static_cast<size_t>(context_->negatives);
    rows.items.resize(batch.size() * k);
    context_->executor.for_chunks(batch.size(), kRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        Draws draws = random_->draws(batch.epoch, batch.place(b));
        drawer_->draw_with_replacement(draws, batch.users[b],
                                       std::span(rows.items).subspan(b * k, k));
      }
    });
    drawn_ = rows.items;
  }

  void choose(const Batch& batch, const EmbeddingView& /*view*/, Negatives& negatives) override {
    negatives.reset(batch.size(), static_cast<size_t>(context_->negatives), 1);
    for (size_t i = 0; i < drawn_.size(); ++i) negatives.terms[i].item = drawn_[i];
  }

 private:
  std::optional<SamplerContext> context_;
  std::optional<CandidateDrawer> drawer_;
  std::optional<Random> random_;
  std::vector<uint32_t> drawn_;
};

}  // namespace

std::unique_ptr<Sampler> make_rns() {
  return std::make_unique<Rns>();
}

}  // namespace divns
