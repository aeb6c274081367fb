// SPDX-License-Identifier: Apache-2.0
#include "samplers/direct.h"

#include <algorithm>

namespace divns {
namespace {

constexpr size_t kDrawsPerChunk = 512;
constexpr size_t kDrawsAhead = 8;

}  // namespace

void DirectSampler::start(const SamplerContext& context) {
  context_.emplace(context);
  drawer_.emplace(context.train, options_);
  random_.emplace(context.seed, purpose_);
}

void DirectSampler::propose(const Batch& batch, RowsToRead& rows) {
  const auto k = static_cast<size_t>(context_->negatives);
  rows.items.resize(batch.size() * k);
  context_->executor.for_chunks(batch.size(), kDrawsPerChunk, [&](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      drawer_->prefetch(batch.users[std::min(b + kDrawsAhead, end - 1)]);
      Draws draws = random_->draws(batch.epoch, batch.place(b));
      drawer_->draw_with_replacement(draws, batch.users[b],
                                     std::span(rows.items).subspan(b * k, k));
    }
  });
  drawn_ = rows.items;
}

void DirectSampler::choose(const Batch& batch, const EmbeddingView& /*view*/,
                           Negatives& negatives) {
  negatives.reset(batch.size(), static_cast<size_t>(context_->negatives), 1);
  for (size_t i = 0; i < drawn_.size(); ++i) negatives.terms[i].item = drawn_[i];
}

}  // namespace divns
