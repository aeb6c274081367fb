// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "divns/random.h"
#include "divns/sampler.h"
#include "kernels/philox_words.h"
#include "samplers/candidates.h"

namespace divns {

// Draws the same number of items for every row of a batch. Draws are counted by (epoch, place), so
// any thread can draw any row.
class CandidateRows {
 public:
  CandidateRows(const SamplerContext& context, const CandidateOptions& options,
                std::string_view purpose)
      : executor_(context.executor),
        replay_(context.replay),
        drawer_(context.train, options),
        random_(context.seed, purpose) {}

  // out[b * each .. (b + 1) * each) for row b.
  void draw(const Batch& batch, size_t each, std::vector<uint32_t>& out) const {
    draw(batch, each, out, [](size_t, size_t) {});
  }
  // The same, then calls count(b, drawn) in parallel: without replacement there may be fewer items
  // than requested, and the first one fills the rest.
  template <class Count>
  void draw(const Batch& batch, size_t each, std::vector<uint32_t>& out, Count&& count) const {
    out.resize(batch.size() * each);
    executor_.for_chunks(batch.size(), kRowsPerChunk, [&](size_t begin, size_t end) {
      // Random words for all rows of the chunk, computed with SIMD. Most items need one word.
      std::array<Draws::Words, kRowsPerChunk * kMostBlocksReady> words;
      const size_t ready = std::min(kMostBlocksReady, std::bit_ceil((each + 3) / 4));
      const std::span blocks(words.data(), (end - begin) * ready);
      philox_blocks(random_.key(), batch.epoch, batch.place(begin), ready, blocks);
      for (size_t b = begin; b < end; ++b) {
        drawer_.prefetch(batch.users[std::min(b + kRowsAhead, end - 1)]);
        count(b, draw_row(batch, b, blocks.subspan((b - begin) * ready, ready),
                          std::span(out).subspan(b * each, each)));
      }
    });
  }

 private:
  static constexpr size_t kRowsPerChunk = 256;
  static constexpr size_t kRowsAhead = 8;
  static constexpr size_t kMostBlocksReady = 4;

  // `ready`: the first blocks of random words of the row.
  size_t draw_row(const Batch& batch, size_t b, std::span<const Draws::Words> ready,
                  std::span<uint32_t> out) const;

  const Executor& executor_;
  const Replay* replay_;
  CandidateDrawer drawer_;
  Random random_;
};

}  // namespace divns
