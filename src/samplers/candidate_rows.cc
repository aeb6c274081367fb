// SPDX-License-Identifier: Apache-2.0
#include "samplers/candidate_rows.h"

#include "samplers/replay.h"

namespace divns {

size_t CandidateRows::draw_row(const Batch& batch, size_t b, std::span<const Draws::Words> ready,
                               std::span<uint32_t> out) const {
  if (replay_ != nullptr) {
    replay_->candidates(batch, b, out);
    return out.size();
  }
  Draws draws = random_.draws(batch.epoch, batch.place(b), 0, ready);
  const size_t drawn = drawer_.draw_list(draws, batch.users[b], out);
  std::fill(out.begin() + static_cast<ptrdiff_t>(drawn), out.end(), out[0]);
  return drawn;
}

}  // namespace divns
