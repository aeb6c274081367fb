// SPDX-License-Identifier: Apache-2.0
#include "samplers/candidate_lists.h"

#include <algorithm>

#include "kernels/vectors.h"

namespace divns {
namespace {

constexpr size_t kListsAhead = 4;  // rows

}  // namespace

CandidateLists::CandidateLists(const SamplerContext& context, const CandidateOptions& options,
                               std::string_view purpose)
    : executor_(context.executor),
      drawer_(context.train, options),
      random_(context.seed, purpose),
      per_row_(static_cast<size_t>(context.negatives)),
      length_(static_cast<size_t>(options.candidates)),
      scores_(static_cast<size_t>(context.executor.threads()), std::vector<float>(length_)) {}

void CandidateLists::draw(const Batch& batch, RowsToRead& rows) {
  const size_t width = per_row_ * length_;
  items_.resize(batch.size() * width);
  starts_.resize(batch.size() * per_row_);
  lengths_.resize(batch.size() * per_row_);
  executor_.for_chunks(batch.size(), kRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      drawer_.prefetch(batch.users[std::min(b + kListsAhead, end - 1)]);
      Draws draws = random_.draws(batch.epoch, batch.place(b));
      const std::span<uint32_t> out = std::span(items_).subspan(b * width, width);
      const size_t drawn = drawer_.draw_list(draws, batch.users[b], out);
      std::fill(out.begin() + static_cast<ptrdiff_t>(drawn), out.end(), out[0]);
      cut(b, drawn);
    }
  });
  rows.items.insert(rows.items.end(), items_.begin(), items_.end());
}

// Equal parts of what was drawn; where there are fewer items than lists, some items serve twice.
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
