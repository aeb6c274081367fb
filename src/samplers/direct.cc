// SPDX-License-Identifier: Apache-2.0
#include "samplers/direct.h"

namespace divns {

void DirectSampler::start(const SamplerContext& context) {
  rows_.emplace(context, options_, purpose_);
  per_row_ = static_cast<size_t>(context.negatives);
}

void DirectSampler::propose(const Batch& batch, RowsToRead& rows) {
  rows_->draw(batch, per_row_, rows.items);
  drawn_ = rows.items;
}

void DirectSampler::choose(const Batch& batch, const EmbeddingView& /*view*/,
                           Negatives& negatives) {
  negatives.reset(batch.size(), per_row_, 1);
  for (size_t i = 0; i < drawn_.size(); ++i) negatives.terms[i].item = drawn_[i];
}

}  // namespace divns
