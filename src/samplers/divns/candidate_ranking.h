// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/random.h"
#include "divns/vectors.h"
#include "samplers/candidates.h"

namespace divns {

// Writes the best distinct items of a list to `ranked`, highest score first, ties in list order.
// The rest of `ranked` becomes kNoItem. `best_scores` is scratch of the size of `ranked`.
void rank_best(std::span<const uint32_t> items, std::span<const float> scores,
               std::span<uint32_t> ranked, std::span<float> best_scores);

// Draws, scores and ranks lists of candidates for a user.
class CandidateRanking {
 public:
  // Keeps the `kept` best of each list.
  CandidateRanking(const Interactions& train, const CandidateOptions& options, size_t kept)
      : drawer_(train, options),
        candidates_(static_cast<size_t>(options.candidates)),
        kept_(kept) {}

  struct Scratch {
    std::vector<float> scores;
    std::vector<float> best_scores;
  };

  const CandidateDrawer& drawer() const { return drawer_; }
  size_t candidates() const { return candidates_; }
  size_t kept() const { return kept_; }
  // Draws one list. If there are too few items, the list has all of them and then repeats its
  // first.
  void draw(Draws& draws, uint32_t user, std::span<uint32_t> list) const;
  // Ranks several consecutive lists of one user; `ranked` gets the best of each.
  void rank(const float* user_vector, const VectorTable& items, std::span<const uint32_t> lists,
            std::span<uint32_t> ranked, Scratch& scratch) const;

 private:
  CandidateDrawer drawer_;
  size_t candidates_;
  size_t kept_;
};

}  // namespace divns
