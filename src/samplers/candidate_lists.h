// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "divns/sampler.h"
#include "samplers/candidate_rows.h"

namespace divns {

// K lists of n candidates for every row of a batch, from which the hard samplers choose. Without
// replacement the K lists of a row have no item in common, if there are enough items.
class CandidateLists {
 public:
  CandidateLists(const SamplerContext& context, const CandidateOptions& options,
                 std::string_view purpose);

  // Draws the candidates and lists the rows to read. Draws are counted by (epoch, place).
  void draw(const Batch& batch, RowsToRead& rows);

  // List k of row b has number b * K + k. Never empty.
  std::span<const uint32_t> list(size_t number) const {
    return {items_.data() + starts_[number], lengths_[number]};
  }

  // Calls choose(worker, number, list, scores) for every list of the batch, in parallel, with
  // scores[j] = e_u . e_list[j] by pooled vectors.
  template <class Choose>
  void for_each_scored(const Batch& batch, const EmbeddingView& view, Choose&& choose) {
    executor_.for_chunks_with_worker(
        batch.size(), kRowsPerChunk, [&](int worker, size_t begin, size_t end) {
          for (size_t number = begin * per_row_; number < end * per_row_; ++number) {
            const uint32_t user = batch.users[number / per_row_];
            choose(worker, number, list(number),
                   score(worker, view.users.row(user), view.items, list(number)));
          }
        });
  }

  // query . table.row(item) for each item of the list, stored in the scratch of this worker.
  std::span<const float> score(int worker, const float* query, const VectorTable& table,
                               std::span<const uint32_t> list);

  size_t per_row() const { return per_row_; }
  static constexpr size_t kRowsPerChunk = 128;

 private:
  void cut(size_t row, size_t drawn);

  const Executor& executor_;
  CandidateRows rows_;
  size_t per_row_;
  size_t length_;
  std::vector<uint32_t> items_;
  std::vector<uint32_t> starts_;   // of each list
  std::vector<uint32_t> lengths_;  // of each list
  std::vector<std::vector<float>> scores_;
};

}  // namespace divns
