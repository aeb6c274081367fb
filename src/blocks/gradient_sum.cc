// SPDX-License-Identifier: Apache-2.0
#include "blocks/gradient_sum.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "kernels/vectors.h"

namespace divns {
namespace {

constexpr size_t kSummedRowsPerChunk = 64;

}  // namespace

GradientSum::GradientSum(uint32_t rows, uint32_t dim, const Executor& executor)
    : executor_(executor), pooled_(0, dim), ego_(0, dim), groups_(rows) {
  sum_.pooled = Table(0, dim);
  sum_.ego = Table(0, dim);
}

void GradientSum::clear() {
  rows_.clear();
}

void GradientSum::add(const RowGradients& block, uint32_t first_row, float share) {
  DIVNS_ASSERT(block.hops.empty());  // of samplers that read single hops
  const size_t first = rows_.size();
  for (const uint32_t row : block.rows) rows_.push_back(first_row + row);
  const auto append = [&](const Table& from, Table& to) {
    to.resize_rows(static_cast<uint32_t>(rows_.size()));
    const size_t stride = to.stride();
    executor_.for_chunks(block.rows.size(), kSummedRowsPerChunk, [&](size_t begin, size_t end) {
      std::transform(from.row(begin), from.row(begin) + (end - begin) * stride,
                     to.row(first + begin), [&](float value) { return share * value; });
    });
  };
  append(block.pooled, pooled_);
  append(block.ego, ego_);
}

void GradientSum::gather(Communicator& ranks) {
  if (ranks.size() == 1) return;
  const auto counts = gather_values<uint64_t>(ranks, {rows_.size()});
  rows_ = gather_values<uint32_t>(ranks, rows_);
  for (Table* table : {&pooled_, &ego_}) {
    Table all(static_cast<uint32_t>(rows_.size()), table->dim());
    size_t first = 0;
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const std::span<float> part(all.row(first), counts[static_cast<size_t>(rank)] * all.stride());
      if (rank == ranks.rank()) std::copy_n(table->data(), part.size(), part.begin());
      ranks.broadcast(rank, std::as_writable_bytes(part));
      first += counts[static_cast<size_t>(rank)];
    }
    *table = std::move(all);
  }
}

const RowGradients& GradientSum::sum() {
  groups_.group(rows_);
  sum_.rows = groups_.rows();
  sum_.slots = groups_.slots();
  const auto add_up = [&](const Table& entries, Table& sums) {
    sums.resize_rows(static_cast<uint32_t>(sum_.rows.size()));
    executor_.for_chunks(sum_.rows.size(), kSummedRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t slot = begin; slot < end; ++slot) {
        std::fill_n(sums.row(slot), sums.stride(), 0.0F);
        for (const uint32_t entry : groups_.entries(slot))
          axpy(1, entries.row(entry), sums.row(slot), sums.stride());
      }
    });
  };
  add_up(pooled_, sum_.pooled);
  add_up(ego_, sum_.ego);
  return sum_;
}

}  // namespace divns
