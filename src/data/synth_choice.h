// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/alias_table.h"
#include "base/random.h"
#include "data/synth_truth.h"

namespace divns {

// Draws a user's choices from the law in data/synth_truth.h, by two roads of the same law.
//
// Rejection: propose an item from the background or a taste's cluster by popularity, keep it with
// probability a_t(i); what is kept and new is the next choice. Costs O(degree), mostly.
//
// Race: every item not yet chosen gets an exponential time with rate r_u(i); the earliest come
// next. Costs O(items). It takes over when a user's rejections run long, which leaves the law as it
// is: whatever was refused so far, the next choice is r_u(i)-proportional among the items left.
class ChoiceSampler {
 public:
  // Of one worker.
  struct Scratch {
    std::vector<uint32_t> chosen_in;  // last call that chose the item
    uint32_t call = 0;
    std::vector<double> proposal_masses;
    std::vector<double> rates;
    std::vector<std::pair<double, uint32_t>> times;
  };

  explicit ChoiceSampler(const SynthTruth& truth);

  // Fills out with distinct items in the order of choice; at most `attempts` proposals, then the
  // race.
  void choose(uint32_t user, Draws draws, uint64_t attempts, Scratch& scratch,
              std::span<uint32_t> out) const;

 private:
  // Items cluster by cluster, with their vectors, so that the few clusters a user cares for stay in
  // the cache. A place is a position in that order.
  uint32_t draw_place(uint32_t cluster, Draws& draws) const {
    return cluster_begins_[cluster] + item_tables_[cluster].draw(draws);
  }
  std::span<const float> vector_at(uint32_t place) const {
    return std::span(vectors_).subspan(size_t{place} * truth_.latent_dim, truth_.latent_dim);
  }
  size_t choose_by_rejection(uint32_t user, Draws& draws, uint64_t attempts, Scratch& scratch,
                             std::span<uint32_t> out) const;
  void choose_by_race(uint32_t user, Draws& draws, Scratch& scratch, std::span<uint32_t> out) const;

  const SynthTruth& truth_;
  std::vector<uint32_t> cluster_begins_;
  std::vector<double> cluster_masses_;   // sum of popularity
  std::vector<uint32_t> item_at_;        // of a place
  std::vector<float> vectors_;           // of a place
  std::vector<AliasTable> item_tables_;  // popularity within a cluster
  AliasTable cluster_table_;
};

}  // namespace divns
