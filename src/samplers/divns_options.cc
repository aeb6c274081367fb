// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns_options.h"

#include "base/check.h"
#include "base/options.h"

namespace divns {

void DivnsOptions::declare(Options& options) {
  options
      .add_choice("divns.variant", variant,
                  {{"paper", DivnsVariant::kPaper}, {"authors", DivnsVariant::kAuthors}},
                  "defaults of lambda, cache_ratio, diverse, timing and replacement: the paper's, "
                  "or in the manner of the authors' released code")
      .preset("paper", "divns.lambda", "0.7")
      .preset("paper", "divns.cache_ratio", "4")
      .preset("paper", "divns.diverse", "augmented")
      .preset("paper", "divns.timing", "epoch")
      .preset("paper", "divns.replacement", "false")
      .preset("authors", "divns.lambda", "0.8")
      .preset("authors", "divns.cache_ratio", "5")
      .preset("authors", "divns.diverse", "opposite")
      .preset("authors", "divns.timing", "batch")
      .preset("authors", "divns.replacement", "true");
  candidates.declare(options, "divns");
  options
      .add("divns.cache_ratio", cache_ratio,
           "candidates kept for each positive beside the hardest (m)")
      .range(1, 1e6)
      .tune_log(1, 16);
  options.add("divns.lambda", lambda, "share of the hard negative in the mixture")
      .range(0, 1)
      .tune_linear(0.1, 1);
  options.add_choice("divns.diverse", diverse,
                     {{"augmented", DiverseRule::kAugmented},
                      {"vanilla", DiverseRule::kVanilla},
                      {"exact", DiverseRule::kExact},
                      {"uniform", DiverseRule::kUniform},
                      {"opposite", DiverseRule::kOpposite},
                      {"off", DiverseRule::kOff}},
                     "choice of diverse items from the cache: greedy k-DPP with the penalty "
                     "against hard negatives, without it, an exact draw, at random, those "
                     "opposite to some hard negative, or none (DNS)");
  options.add_choice("divns.combine", combine,
                     {{"mix", DivnsCombine::kMix}, {"pair", DivnsCombine::kPair}},
                     "mix hard and diverse negative into one, or let both enter the loss");
  options.add_choice("divns.timing", timing,
                     {{"epoch", DivnsTiming::kEpoch}, {"batch", DivnsTiming::kBatch}},
                     "choose hard negatives at the start of an epoch, or afresh at every batch "
                     "with partners prepared when the epoch starts");
  options.add_choice("divns.shortage", shortage,
                     {{"recycle", PartnerShortage::kRecycle},
                      {"unmixed", PartnerShortage::kUnmixed},
                      {"refill", PartnerShortage::kRefill}},
                     "where there are fewer diverse items than hard negatives: use them again, "
                     "leave some hard negatives alone, or draw partners at random");
  options.add_choice("divns.penalty", penalty,
                     {{"formula", PenaltyRange::kFormula},
                      {"clip", PenaltyRange::kClip},
                      {"half", PenaltyRange::kHalf}},
                     "1 - mean cosine as it is (up to 2), at most 1, or half of it");
  options.add("divns.distinct_hard", distinct_hard,
              "a hard negative that was found several times counts once in the penalty");
  options.add("divns.unit_kernel", unit_kernel, "scale vectors to unit length in the kernel");
  options.add("divns.cached_vectors", cached_vectors,
              "the kernel uses vectors as they were when the cache was filled");
  options.add("divns.random_ties", random_ties,
              "equal gains are decided at random instead of by item number");
  options.add_choice("divns.rank_policy", rank_policy,
                     {{"jitter", RankPolicy::kJitter},
                      {"rounds", RankPolicy::kRounds},
                      {"stop", RankPolicy::kStop}},
                     "beyond the rank of the kernel: go on with a jittered diagonal, begin again "
                     "among what is left, or stop and treat it as a shortage");
  options.add("divns.jitter", jitter, "added to the diagonal of the kernel").above(0);
}

void DivnsOptions::check() const {
  if (has_module_two() && candidates.candidates <= cache_ratio)
    fail(
        "divns.cache_ratio is {}, but of divns.candidates = {} only {} are left beside the "
        "hardest; draw more candidates or keep fewer.",
        cache_ratio, candidates.candidates, candidates.candidates - 1);
  if (cached_vectors && timing == DivnsTiming::kBatch)
    fail(
        "divns.cached_vectors goes with divns.timing = epoch only: batch by batch there is no one "
        "moment of caching.");
}

DppConfig DivnsOptions::dpp() const {
  DppConfig config;
  config.method = diverse == DiverseRule::kExact ? DppMethod::kExact : DppMethod::kGreedy;
  config.rank_policy = rank_policy;
  config.normalize = unit_kernel;
  if (penalty == PenaltyRange::kClip) config.largest_quality = 1;
  // Half of every q makes a quarter of the kernel, and K/4 + eps I chooses like K + 4 eps I.
  config.jitter = penalty == PenaltyRange::kHalf ? 4 * jitter : jitter;
  return config;
}

}  // namespace divns
