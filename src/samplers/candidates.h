// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/alias_table.h"
#include "base/random.h"
#include "divns/interactions.h"
#include "samplers/owned_items.h"

namespace divns {

class Options;

// How likely an item is to be drawn, apart from what the user owns.
enum class CandidateLaw {
  kUniform,
  kPopularity,     // c_i^exponent, c_i being the item's training pairs; 0 for c_i = 0
  kLogPopularity,  // log(1 + c_i)
};

struct CandidateOptions {
  int candidates = 10;
  CandidateLaw law = CandidateLaw::kUniform;
  double exponent = 0.75;
  bool replacement = true;
  bool reject_positives = true;

  // All of them, as `<sampler>.candidates` and so on; present values are the defaults.
  void declare(Options& options, const std::string& sampler);
  // Those that say from where, without how many.
  void declare_source(Options& options, const std::string& sampler);
};

// Draws items for a user, by default uniformly from those the user has no training pair with, in
// bounded time. Items are drawn from all and kept unless the user owns them. Users who own more
// than half, and the rare one who is refused many times, are served by rank when the law is
// uniform: the r-th missing item is found by one binary search, whatever the user owns. Drawing by
// popularity takes from one alias table for all users; after a fixed number of vain tries it walks
// over the items once.
class CandidateDrawer {
 public:
  explicit CandidateDrawer(const Interactions& train) : CandidateDrawer(train, {}) {}
  CandidateDrawer(const Interactions& train, const CandidateOptions& options);

  // |I_u-|, how many items the user has no training pair with.
  uint32_t available(uint32_t user) const {
    return train_.item_count - static_cast<uint32_t>(train_.row(user).size());
  }
  // The missing item of a given rank, in ascending order; rank < available(user).
  uint32_t missing_item(uint32_t user, uint32_t rank) const;

  // Asks the caches for what a draw for this user will look at first.
  void prefetch(uint32_t user) const { owned_.prefetch(user); }

  // In each of these available(user) > 0.
  uint32_t draw(Draws& draws, uint32_t user) const;
  void draw_with_replacement(Draws& draws, uint32_t user, std::span<uint32_t> out) const;
  // Distinct items, one after another by the law; all there are in random order where they are
  // fewer than out.size(). Returns how many were written.
  size_t draw_without_replacement(Draws& draws, uint32_t user, std::span<uint32_t> out) const;
  // One of the two above, as the options say.
  size_t draw_list(Draws& draws, uint32_t user, std::span<uint32_t> out) const;

  // log of the probability of an item in one draw, up to a constant of the user.
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
  std::vector<double> weights_;  // of the items; empty for the uniform law
  std::optional<AliasTable> table_;
};

}  // namespace divns
