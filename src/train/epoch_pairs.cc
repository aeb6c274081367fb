// SPDX-License-Identifier: Apache-2.0
#include "train/epoch_pairs.h"

#include <algorithm>

#include "base/check.h"

namespace divns {
namespace {

constexpr size_t kPairsPerChunk = 16384;
constexpr size_t kBuckets = 256;

}  // namespace

EpochPairs::EpochPairs(const Interactions& train, const TrainConfig& config,
                       const Executor& executor, const Replay* replay)
    : train_(train),
      executor_(executor),
      replay_(replay),
      random_(config.seed, "pairs"),
      order_(config.pairs),
      batch_size_(static_cast<size_t>(config.batch_size)),
      drop_last_(config.drop_last),
      pair_user_(train.pairs()) {
  for (uint32_t user = 0; user < train.users(); ++user) {
    const size_t owned = train.row(user).size();
    const bool full = owned == train.item_count && owned > 0;
    full_users_ += full ? 1 : 0;
    if (owned > 0 && !full) usable_users_.push_back(user);
    for (uint64_t pair = train.offsets[user]; pair < train.offsets[user + 1]; ++pair) {
      pair_user_[pair] = user;
      if (!full) usable_pairs_.push_back(pair);
    }
  }
  pairs_.resize(usable_pairs_.size());
  users_.resize(pairs_.size());
  items_.resize(pairs_.size());
}

void EpochPairs::arrange(uint32_t epoch) {
  if (replay_ != nullptr)
    replay_->order(epoch, pairs_);
  else if (order_ == PairOrder::kShuffle)
    shuffle_pairs(epoch);
  else
    draw_user_uniform(epoch);
  look_up_pairs(epoch);
}

void EpochPairs::look_up_pairs(uint32_t epoch) {
  epoch_ = epoch;
  executor_.for_chunks(pairs_.size(), kPairsPerChunk, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      users_[i] = pair_user_[pairs_[i]];
      items_[i] = train_.items[pairs_[i]];
    }
  });
}

// Puts every pair into a random bucket and shuffles each bucket. The result is a uniform
// permutation, computed in parallel on buckets that fit into the caches.
void EpochPairs::shuffle_pairs(uint32_t epoch) {
  const size_t n = usable_pairs_.size();
  const size_t chunks = (n + kPairsPerChunk - 1) / kPairsPerChunk;
  std::vector<uint8_t> bucket(n);
  std::vector<size_t> places(chunks * kBuckets,
                             0);  // counts, then the start of the share of each chunk
  executor_.for_chunks(n, kPairsPerChunk, [&](size_t begin, size_t end) {
    Draws draws = random_.draws(epoch, static_cast<uint32_t>(begin / kPairsPerChunk));
    size_t* counts = places.data() + begin / kPairsPerChunk * kBuckets;
    for (size_t i = begin; i < end; i += 4) {
      const uint32_t word = draws.u32();
      for (size_t j = i; j < std::min(i + 4, end); ++j) {
        bucket[j] = static_cast<uint8_t>(word >> (8 * (j - i)));
        ++counts[bucket[j]];
      }
    }
  });
  std::vector<size_t> bounds(kBuckets + 1, 0);
  size_t next = 0;
  for (size_t b = 0; b < kBuckets; ++b) {
    bounds[b] = next;
    for (size_t c = 0; c < chunks; ++c) {
      const size_t count = places[c * kBuckets + b];
      places[c * kBuckets + b] = next;
      next += count;
    }
  }
  bounds[kBuckets] = n;
  executor_.for_chunks(n, kPairsPerChunk, [&](size_t begin, size_t end) {
    size_t* next_place = places.data() + begin / kPairsPerChunk * kBuckets;
    for (size_t i = begin; i < end; ++i) pairs_[next_place[bucket[i]]++] = usable_pairs_[i];
  });
  executor_.for_chunks(kBuckets, 1, [&](size_t b, size_t) {
    Draws draws = random_.draws(epoch, static_cast<uint32_t>(b), 1);
    shuffle(draws, std::span(pairs_).subspan(bounds[b], bounds[b + 1] - bounds[b]));
  });
}

void EpochPairs::draw_user_uniform(uint32_t epoch) {
  executor_.for_chunks(pairs_.size(), kPairsPerChunk, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      Draws draws = random_.draws(epoch, static_cast<uint32_t>(i), 2);
      const uint32_t user = usable_users_[draws.below(static_cast<uint32_t>(usable_users_.size()))];
      pairs_[i] = train_.offsets[user] + draws.below64(train_.row(user).size());
    }
  });
}

size_t EpochPairs::batches() const {
  const size_t full = rows() / batch_size_;
  return full + (drop_last_ || rows() % batch_size_ == 0 ? 0 : 1);
}

Batch EpochPairs::batch(size_t index) const {
  const size_t begin = index * batch_size_;
  return rows_from(begin, std::min(batch_size_, rows() - begin));
}

Batch EpochPairs::whole() const {
  return rows_from(0, std::min(batches() * batch_size_, rows()));
}

Batch EpochPairs::rows_from(size_t begin, size_t size) const {
  return {.epoch = epoch_,
          .first_place = static_cast<uint32_t>(begin),
          .users = std::span(users_).subspan(begin, size),
          .positives = std::span(items_).subspan(begin, size),
          .pairs = std::span(pairs_).subspan(begin, size)};
}

}  // namespace divns
