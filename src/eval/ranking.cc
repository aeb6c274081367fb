// SPDX-License-Identifier: Apache-2.0
#include "eval/ranking.h"

#include <bit>
#include <numeric>

#include "base/check.h"

namespace divns {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

PackedItems::PackedItems(const VectorTable& items, const Executor& executor,
                         std::optional<std::span<const uint32_t>> allowed)
    : size_(allowed ? static_cast<uint32_t>(allowed->size()) : items.rows),
      dim_(items.dim),
      width_(panel_width()) {
  ids_.resize(size_);
  if (allowed)
    std::copy(allowed->begin(), allowed->end(), ids_.begin());
  else
    std::iota(ids_.begin(), ids_.end(), 0U);
  DIVNS_ASSERT(std::is_sorted(ids_.begin(), ids_.end()));
  const size_t panels = (size_t{size_} + width_ - 1) / width_;
  panels_.resize(panels * dim_ * width_);
  executor.for_chunks(panels, 64, [&](size_t begin, size_t end) {
    for (size_t i = begin * width_; i < std::min<size_t>(size_, end * width_); ++i) {
      const float* row = items.row(ids_[i]);
      float* column = &panels_[(i / width_) * dim_ * width_ + i % width_];
      for (uint32_t k = 0; k < dim_; ++k) column[size_t{k} * width_] = row[k];
    }
  });
}

void PackedItems::UserState::pass_masked(uint32_t item) {
  next_masked = std::numeric_limits<uint32_t>::max();
  for (std::span<const uint32_t>& left : masked) {
    while (!left.empty() && left.front() < item) left = left.subspan(1);
    if (!left.empty()) next_masked = std::min(next_masked, left.front());
  }
}

// Sets the scores of masked items among the first items to minus infinity.
void PackedItems::UserState::mask_head(std::span<const uint32_t> ids, std::span<float> scores) {
  for (const std::span<const uint32_t>& row : masked) {
    for (const uint32_t item : row) {
      if (ids.empty() || item > ids.back()) break;
      // If all items are ranked, the position of an item is its id.
      const auto at = item < ids.size() && ids[item] == item
                          ? ids.begin() + item
                          : std::lower_bound(ids.begin(), ids.end(), item);
      if (*at == item) scores[static_cast<size_t>(at - ids.begin())] = -kInfinity;
    }
  }
}

void PackedItems::start_block(const RankingRequest& request, size_t begin, size_t end,
                              Block& block) const {
  const size_t room = size_t{request.tiles} * kTileUsers;
  block.users.resize(room);
  block.rows.resize(room);
  block.packed.assign(room * dim_, 0.0F);
  block.thresholds.assign(room, kInfinity);
  for (size_t n = begin; n < end; ++n) {
    const size_t place = n - begin;
    const uint32_t user = request.rows[n];
    UserState& state = block.users[place];
    state.top.start(request.k);
    state.masked.clear();
    for (const Interactions& mask : request.masks) state.masked.push_back(mask.row(user));
    state.pass_masked(0);
    block.thresholds[place] = state.top.threshold();
    float* column = &block.packed[place / kTileUsers * dim_ * kTileUsers + place % kTileUsers];
    const float* row = request.users.row(user);
    for (uint32_t k = 0; k < dim_; ++k) column[size_t{k} * kTileUsers] = row[k];
  }
}

// While the lists are empty, nearly every item enters and is soon dropped again. So the first items
// are scored together and cut once; after that few scores matter. Returns the number of these
// items.
uint32_t PackedItems::score_head(const RankingRequest& request, size_t users, Block& block) const {
  const uint32_t wanted = std::min(size_, std::clamp(16 * request.k, 256U, 1024U));
  const uint32_t head = std::min(size_, (wanted + width_ - 1) / width_ * width_);
  const size_t stride = size_t{head} + width_;  // a panel may extend beyond the last item
  block.head.resize(users * stride);
  const size_t tiles = (users + kTileUsers - 1) / kTileUsers;
  for (uint32_t first = 0; first < head; first += width_) {
    const size_t rows = score_panel(block.packed.data(), tiles, &panels_[size_t{first} * dim_],
                                    std::min(width_, size_ - first), dim_, block.thresholds.data(),
                                    block.rows.data());
    // A user without a row has no score above minus infinity.
    if (rows < users)
      for (size_t user = 0; user < users; ++user)
        std::fill_n(&block.head[user * stride + first], width_, -kInfinity);
    for (const ScoredRow& row : std::span(block.rows).first(rows))
      std::copy_n(row.scores, width_, &block.head[row.user * stride + first]);
  }
  const std::span<const uint32_t> ids = std::span(ids_).first(head);
  for (size_t user = 0; user < users; ++user) {
    const std::span<float> scores = std::span(block.head).subspan(user * stride, head);
    block.users[user].mask_head(ids, scores);
    block.users[user].top.start_with(ids, scores);
    block.thresholds[user] = block.users[user].top.threshold();
  }
  return head;
}

void PackedItems::rank_block(const RankingRequest& request, size_t begin, size_t end,
                             Block& block) const {
  DIVNS_ASSERT(request.users.dim == dim_ && request.k > 0 && request.tiles > 0);
  start_block(request, begin, end, block);
  const size_t tiles = (end - begin + kTileUsers - 1) / kTileUsers;
  for (uint32_t first = score_head(request, end - begin, block); first < size_; first += width_) {
    const size_t rows = score_panel(block.packed.data(), tiles, &panels_[size_t{first} * dim_],
                                    std::min(width_, size_ - first), dim_, block.thresholds.data(),
                                    block.rows.data());
    for (const ScoredRow& row : std::span(block.rows).first(rows)) add_row(row, first, block);
  }
}

void PackedItems::add_row(const ScoredRow& row, uint32_t first, Block& block) const {
  UserState& state = block.users[row.user];
  for (uint32_t bits = row.bits; bits != 0; bits &= bits - 1) {
    const auto place = static_cast<uint32_t>(std::countr_zero(bits));
    const uint32_t item = ids_[first + place];
    // The threshold may have risen within the row.
    if (row.scores[place] <= state.top.threshold() || state.is_masked(item)) continue;
    state.top.add(item, row.scores[place]);
  }
  block.thresholds[row.user] = state.top.threshold();
}

}  // namespace divns
