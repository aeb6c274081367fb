// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "divns/interactions.h"
#include "divns/snapshot.h"
#include "divns/tensors.h"

namespace divns {

// What DivNS knows of every training pair: K lists of candidates per pair, and per list one entry
// in each array, m in the cache. Pairs are in the order of the training part, so those of a user
// are adjacent. kNoItem stands for an entry that was not chosen yet.
class PairMemory {
 public:
  void start(const Interactions& train, size_t lists, size_t cache_ratio);
  // Adds the array `positions`.
  void keep_positions() { positions.assign(hard.size(), kNoItem); }

  std::vector<uint32_t> hard;       // the highest-scoring candidate
  std::vector<uint32_t> partners;   // the diverse item that is mixed with it
  std::vector<uint32_t> positions;  // of the hard negatives in their lists; may be absent
  std::vector<uint32_t> cache;      // the m candidates that follow the hard one

  size_t cache_ratio() const { return cache_ratio_; }
  // The entries of a user in an array with `each` entries per list.
  std::span<uint32_t> of_user(std::vector<uint32_t>& values, uint32_t user, size_t each = 1) const {
    return std::span(values).subspan(train_.offsets[user] * lists_ * each,
                                     train_.row(user).size() * lists_ * each);
  }
  std::span<uint32_t> cache_of(uint32_t user) { return of_user(cache, user, cache_ratio_); }
  // Before an epoch that chooses hard negatives anew for every batch.
  void forget_choices();

  // What the map of a report shows of a user: the first list of each of the first `positives`
  // pairs.
  void show(uint32_t user, size_t positives, bool with_partners, UserSnapshot& snapshot) const;

  // The cache and the positions, and the hard negatives where they outlive the epoch.
  void save(TensorWriter& out, bool with_hard) const;
  void load(const TensorReader& in, bool with_hard);

 private:
  void read(const TensorReader& in, const std::string& name, std::vector<uint32_t>& out) const;

  Interactions train_;
  size_t lists_ = 1;        // K
  size_t cache_ratio_ = 0;  // m
};

}  // namespace divns
