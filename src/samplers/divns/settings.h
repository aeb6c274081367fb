// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/dpp.h"
#include "samplers/candidates.h"

namespace divns {

class Options;

enum class DivnsVariant { kPaper, kAuthors };

// Module two: the choice of diverse items from the cache of a user.
enum class DiverseRule {
  kAugmented,  // greedy k-DPP with the penalty against hard negatives
  kVanilla,    // greedy k-DPP without it
  kExact,      // a draw of the k-DPP with the penalty
  kUniform,    // uniform draws
  kOpposite,   // the items most opposite to some hard negative
  kOff         // none: hard negatives only, which is DNS
};

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

  bool has_module_two() const { return diverse != DiverseRule::kOff; }
  // Without diverse items the sampler is DNS, which chooses in every batch.
  bool chooses_per_batch() const { return timing == DivnsTiming::kBatch || !has_module_two(); }
  DppConfig dpp() const;
};

}  // namespace divns
