// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/dpp.h"
#include "samplers/candidates.h"

namespace divns {

class Options;

enum class DivnsVariant { kPaper, kReleased };

// Module two: the choice of diverse items from the cache of a user.
enum class DiverseRule {
  kAugmented,  // greedy k-DPP with the penalty against hard negatives
  kVanilla,    // greedy k-DPP without it
  kExact,      // a draw of the k-DPP with the penalty
  kUniform,    // uniform draws
  kOpposite,   // the items most opposite to some hard negative
  kHard,       // the hard negative itself is its partner
  kOff         // none: hard negatives only, which is DNS
};

// What kOpposite measures against: the hard negatives, or the items whose numbers are the positions
// of the hard negatives in their lists of candidates.
enum class OppositeTo { kHard, kPositions };

// Which of the chosen items becomes the partner of which hard negative: a random one, or the next
// in the order of the choice, whenever a row of the user comes up in the epoch.
enum class DivnsPairing { kRandom, kOrdered };

// How a hard negative and its diverse partner are combined.
enum class DivnsCombine {
  kMix,  // one negative, lambda * hard + (1 - lambda) * diverse
  kPair  // two negatives in one loss
};

// When hard negatives are chosen and caches filled.
enum class DivnsTiming { kEpoch, kBatch };

// Partners if there are fewer diverse items than hard negatives.
enum class PartnerShortage {
  kRecycle,  // use the diverse items again, in a new order
  kUnmixed,  // some random hard negatives have no partner
  kRefill    // uniform draws from the items that the user does not have
};

// The range of the penalty q = 1 - mean cosine, which the paper states as [0, 1] but is [0, 2].
enum class PenaltyRange { kFormula, kClip, kHalf };

struct DivnsOptions {
  DivnsVariant variant = DivnsVariant::kPaper;
  CandidateOptions candidates{.replacement = false};
  int cache_ratio = 4;  // m
  double lambda = 0.7;
  DiverseRule diverse = DiverseRule::kAugmented;
  OppositeTo opposite_to = OppositeTo::kHard;
  bool keep_hard = false;  // hard negatives of the epoch stay in the ground set
  DivnsPairing pairing = DivnsPairing::kRandom;
  DivnsCombine combine = DivnsCombine::kMix;
  DivnsTiming timing = DivnsTiming::kEpoch;
  PartnerShortage shortage = PartnerShortage::kRecycle;
  PenaltyRange penalty = PenaltyRange::kFormula;
  bool distinct_hard = false;   // count repeated hard negatives once in the penalty
  bool unit_kernel = true;      // v / |v| in the kernel
  bool cached_vectors = false;  // kernel of the vectors from when the cache was filled
  bool random_ties = false;
  RankPolicy rank_policy = RankPolicy::kJitter;
  double jitter = 1e-6;

  void declare(Options& options);
  // Throws Error for values that contradict each other.
  void check() const;

  bool has_module_two() const {
    return diverse != DiverseRule::kOff && diverse != DiverseRule::kHard;
  }
  // Without items from a cache the sampler chooses in every batch, as DNS does.
  bool chooses_per_batch() const { return timing == DivnsTiming::kBatch || !has_module_two(); }
  DppConfig dpp() const;
};

}  // namespace divns
