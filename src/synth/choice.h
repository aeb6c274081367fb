// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "divns/random.h"
#include "numerics/alias_table.h"
#include "synth/truth.h"

namespace divns {

// Draws a user's choices from the distribution in synth/truth.h, by two methods that give the same
// distribution.
//
// Rejection: propose an item from the background or from a taste's cluster by popularity, and
// accept it with probability a_t(i). An accepted item that is new is the next choice. Usually costs
// O(degree).
//
// Race: every item not yet chosen gets an exponential time with rate r_u(i); the earliest come
// next. Costs O(items). It is used when a user has too many rejections. That does not change the
// distribution: whatever was rejected so far, the next choice is proportional to r_u(i) among the
// remaining items.
class ChoiceSampler {
 public:
  // Scratch of one thread.
  struct Scratch {
    std::vector<uint32_t> chosen_in;  // the last call that chose the item
    uint32_t call = 0;
    std::vector<double> proposal_masses;
    std::vector<double> rates;
    std::vector<std::pair<double, uint32_t>> times;
  };

  explicit ChoiceSampler(const SynthTruth& truth);

  // Fills `out` with distinct items in the order of choice; makes at most `attempts` proposals,
  // then uses the race.
  void choose(uint32_t user, Draws draws, uint64_t attempts, Scratch& scratch,
              std::span<uint32_t> out) const;

 private:
  // Items and their vectors ordered by cluster, so that the few clusters of a user stay in the
  // cache. A place is a position in that order.
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
  std::vector<double> cluster_masses_;   // sums of popularity
  std::vector<uint32_t> item_at_;        // item at each place
  std::vector<float> vectors_;           // vector at each place
  std::vector<AliasTable> item_tables_;  // popularity within a cluster
  AliasTable cluster_table_;
};

}  // namespace divns
