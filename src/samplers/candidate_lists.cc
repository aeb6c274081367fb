// SPDX-License-Identifier: Apache-2.0
#include "samplers/candidate_lists.h"

#include "kernels/vectors.h"

namespace divns {

CandidateLists::CandidateLists(const SamplerContext& context, const CandidateOptions& options,
                               std::string_view purpose)
    : executor_(context.executor),
      rows_(context, options, purpose),
      per_row_(static_cast<size_t>(context.negatives)),
      length_(static_cast<size_t>(options.candidates)),
      scores_(static_cast<size_t>(context.executor.threads()), std::vector<float>(length_)) {}

void CandidateLists::draw(const Batch& batch, RowsToRead& rows) {
  starts_.resize(batch.size() * per_row_);
  lengths_.resize(batch.size() * per_row_);
  rows_.draw(batch, per_row_ * length_, items_, [&](size_t b, size_t drawn) { cut(b, drawn); });
  rows.items.insert(rows.items.end(), items_.begin(), items_.end());
}

// Divides the draws into equal parts. If there are fewer items than lists, items are used twice.
void CandidateLists::cut(size_t row, size_t drawn) {
  const size_t first = row * per_row_ * length_;
  for (size_t k = 0; k < per_row_; ++k) {
    const size_t begin = drawn < per_row_ ? k % drawn : drawn * k / per_row_;
    const size_t end = drawn < per_row_ ? begin + 1 : drawn * (k + 1) / per_row_;
    starts_[row * per_row_ + k] = static_cast<uint32_t>(first + begin);
    lengths_[row * per_row_ + k] = static_cast<uint32_t>(end - begin);
  }
}

std::span<const float> CandidateLists::score(int worker, const float* query,
                                             const VectorTable& table,
                                             std::span<const uint32_t> list) {
  std::vector<float>& out = scores_[static_cast<size_t>(worker)];
  gather_scores(query, table, list.data(), list.size(), out.data());
  return {out.data(), list.size()};
}

}  // namespace divns
