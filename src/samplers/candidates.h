// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "divns/interactions.h"
#include "divns/random.h"
#include "numerics/alias_table.h"
#include "samplers/owned_items.h"

namespace divns {

class Options;

// Distribution of the candidates, before items of the user are excluded.
enum class CandidateLaw {
  kUniform,
  kPopularity,  // c_i^exponent, where c_i is the number of training pairs of item i; 0 for c_i = 0
  kLogPopularity,  // log(1 + c_i)
};

struct CandidateOptions {
  int candidates = 10;
  double most_tuned = 128;  // end of the tuning range of `candidates`
  CandidateLaw law = CandidateLaw::kUniform;
  double exponent = 0.75;
  bool replacement = true;
  bool reject_positives = true;

  // All options, as `<sampler>.candidates` and so on. The current values are the defaults.
  void declare(Options& options, const std::string& sampler);
  // The options of the distribution only.
  void declare_source(Options& options, const std::string& sampler);
};

// Draws items for a user in bounded time, by default uniformly from the items that the user has no
// training pair with. An item is drawn from all items, and again if the user has it. With the
// uniform distribution, users who have more than half of the items, and draws that are rejected too
// often, use ranks instead: the r-th missing item is found by one binary search. With popularity,
// all users share one alias table; after a fixed number of rejections one pass over the items
// computes the restricted distribution.
class CandidateDrawer {
 public:
  explicit CandidateDrawer(const Interactions& train) : CandidateDrawer(train, {}) {}
  CandidateDrawer(const Interactions& train, const CandidateOptions& options);

  // |I_u-|, the number of items that the user has no training pair with.
  uint32_t available(uint32_t user) const {
    return train_.item_count - static_cast<uint32_t>(train_.row(user).size());
  }
  bool owns(uint32_t user, uint32_t item) const { return owned_.owns(user, item); }
  // The missing item with this rank in ascending order; rank < available(user).
  uint32_t missing_item(uint32_t user, uint32_t rank) const;

  // Prefetches what a draw for this user reads first.
  void prefetch(uint32_t user) const { owned_.prefetch(user); }

  // The following functions need available(user) > 0.
  uint32_t draw(Draws& draws, uint32_t user) const;
  void draw_with_replacement(Draws& draws, uint32_t user, std::span<uint32_t> out) const;
  // Distinct items, drawn one after another from the distribution without replacement. If there are
  // fewer than out.size(), all of them in random order. Returns the number of items written.
  size_t draw_without_replacement(Draws& draws, uint32_t user, std::span<uint32_t> out) const;
  // One of the two above, depending on the option `replacement`.
  size_t draw_list(Draws& draws, uint32_t user, std::span<uint32_t> out) const;

  // log of the probability of an item in one draw, up to a constant per user.
  double log_weight(uint32_t item) const;

 private:
  uint32_t draw_missing(Draws& draws, uint32_t user) const;
  bool may_draw(uint32_t user, uint32_t item, std::span<const uint32_t> taken) const;
  std::optional<uint32_t> draw_weighted(Draws& draws, uint32_t user,
                                        std::span<const uint32_t> taken) const;
  std::optional<uint32_t> walk(Draws& draws, uint32_t user, std::span<const uint32_t> taken) const;

  Interactions train_;
  OwnedItems owned_;
  CandidateOptions options_;
  std::vector<double> weights_;  // of the items; empty for the uniform distribution
  std::optional<AliasTable> table_;
};

}  // namespace divns
