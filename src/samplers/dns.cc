// SPDX-License-Identifier: Apache-2.0
#include "samplers/dns.h"

#include <algorithm>
#include <optional>

#include "samplers/candidate_lists.h"

namespace divns {
namespace {

class Dns final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options, "dns"); }

  void start(const SamplerContext& context) override { lists_.emplace(context, options_, "dns"); }

  bool fits_blocks() const override { return true; }

  void propose(const Batch& batch, RowsToRead& rows) override { lists_->draw(batch, rows); }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    negatives.reset(batch.size(), lists_->per_row(), 1);
    lists_->for_each_scored(
        batch, view,
        [&](int, size_t number, std::span<const uint32_t> list, std::span<const float> scores) {
          const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
          negatives.terms[number].item = list[static_cast<size_t>(best)];
        });
  }

 private:
  CandidateOptions options_;
  std::optional<CandidateLists> lists_;
};

}  // namespace

std::unique_ptr<Sampler> make_dns() {
  return std::make_unique<Dns>();
}

}  // namespace divns
