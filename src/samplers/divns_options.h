// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/dpp.h"
#include "samplers/candidates.h"

namespace divns {

class Options;

enum class DivnsVariant { kPaper, kAuthors };

// Module two: how the diverse items of a user are chosen from the cache.
enum class DiverseRule {
  kAugmented,  // greedy k-DPP with the penalty against hard negatives
  kVanilla,    // greedy k-DPP without it
  kExact,      // a draw of the k-DPP with the penalty
  kUniform,    // at random
  kOpposite,   // those that point most away from some hard negative
  kOff         // none: the hard negatives alone, that is DNS
};

// What becomes of a hard negative and its diverse partner.
enum class DivnsCombine {
  kMix,  // one negative, lambda * hard + (1 - lambda) * diverse
  kPair  // two negatives in one loss
};

// When hard negatives are chosen and caches filled.
enum class DivnsTiming { kEpoch, kBatch };

// Partners where there are fewer diverse items than hard negatives.
enum class PartnerShortage {
  kRecycle,  // go through the diverse items again, in a new order
  kUnmixed,  // some hard negatives, at random, stay alone
  kRefill    // uniform draws from the user's missing items
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
  bool distinct_hard = false;   // H as a set in the penalty
  bool unit_kernel = true;      // v / |v| in the kernel
  bool cached_vectors = false;  // kernel of the vectors of the time of caching
  bool random_ties = false;
  RankPolicy rank_policy = RankPolicy::kJitter;
  double jitter = 1e-6;

  void declare(Options& options);
  // Throws Error for values that do not go together.
  void check() const;

  bool has_module_two() const { return diverse != DiverseRule::kOff; }
  // Hard negatives alone are DNS, which chooses at every batch.
  bool chooses_per_batch() const { return timing == DivnsTiming::kBatch || !has_module_two(); }
  DppConfig dpp() const;
};

}  // namespace divns
