// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns/settings.h"

#include "base/check.h"
#include "divns/options.h"

namespace divns {

void DivnsOptions::declare(Options& options) {
  options
      .add_choice("divns.variant", variant,
                  {{"paper", DivnsVariant::kPaper}, {"released", DivnsVariant::kReleased}},
                  "a set of defaults: those of the paper, or what the code released by its authors "
                  "computes (docs/divns.md lists the options)")
      .preset("paper", "divns.lambda", "0.7")
      .preset("paper", "divns.cache_ratio", "4")
      .preset("paper", "divns.diverse", "augmented")
      .preset("paper", "divns.timing", "epoch")
      .preset("paper", "divns.opposite_to", "hard")
      .preset("paper", "divns.keep_hard", "false")
      .preset("paper", "divns.pairing", "random")
      .preset("paper", "divns.replacement", "false")
      .preset("released", "divns.lambda", "0.8")
      .preset("released", "divns.cache_ratio", "5")
      .preset("released", "divns.diverse", "opposite")
      .preset("released", "divns.opposite_to", "positions")
      .preset("released", "divns.keep_hard", "true")
      .preset("released", "divns.pairing", "ordered")
      .preset("released", "divns.timing", "batch")
      .preset("released", "divns.replacement", "true")
      .preset("released", "broadcast_loss", "true")
      .preset("released", "broadcast_regulariser", "true")
      .preset("released", "protocol", "rel");
  candidates.declare(options, "divns");
  options
      .add("divns.cache_ratio", cache_ratio,
           "number of candidates per positive that go into the cache (m)")
      .range(1, 1e6)
      .tune_log(1, 16);
  options.add("divns.lambda", lambda, "weight of the hard negative in the mixture")
      .range(0, 1)
      .tune_linear(0.1, 1);
  options.add_choice("divns.diverse", diverse,
                     {{"augmented", DiverseRule::kAugmented},
                      {"vanilla", DiverseRule::kVanilla},
                      {"exact", DiverseRule::kExact},
                      {"uniform", DiverseRule::kUniform},
                      {"opposite", DiverseRule::kOpposite},
                      {"hard", DiverseRule::kHard},
                      {"off", DiverseRule::kOff}},
                     "choice of diverse items from the cache: greedy k-DPP with the penalty for "
                     "similarity to hard negatives, the same without the penalty, an exact draw of "
                     "the k-DPP with the penalty, uniform draws, the items most opposite to some "
                     "hard negative, the hard negative itself, or none (DNS)");
  options
      .add_choice(
          "divns.opposite_to", opposite_to,
          {{"hard", OppositeTo::kHard}, {"positions", OppositeTo::kPositions}},
          "what diverse = opposite measures against: the hard negatives, or the items whose "
          "numbers are the positions of the hard negatives in their lists of candidates")
      .omit_default();
  options
      .add("divns.keep_hard", keep_hard,
           "keep cached items that are hard negatives of the epoch as possible partners")
      .omit_default();
  options
      .add_choice(
          "divns.pairing", pairing,
          {{"random", DivnsPairing::kRandom}, {"ordered", DivnsPairing::kOrdered}},
          "partner of a hard negative: a random one of the chosen items, or the next in the "
          "order of their choice")
      .omit_default();
  options.add_choice(
      "divns.combine", combine, {{"mix", DivnsCombine::kMix}, {"pair", DivnsCombine::kPair}},
      "combination of the hard and the diverse negative: one mixed vector, or two negatives "
      "in the loss");
  options.add_choice(
      "divns.timing", timing, {{"epoch", DivnsTiming::kEpoch}, {"batch", DivnsTiming::kBatch}},
      "time of the choice of hard negatives: at the start of an epoch, or in every batch, "
      "with partners from the start of the epoch");
  options.add_choice(
      "divns.shortage", shortage,
      {{"recycle", PartnerShortage::kRecycle},
       {"unmixed", PartnerShortage::kUnmixed},
       {"refill", PartnerShortage::kRefill}},
      "partners if there are fewer diverse items than hard negatives: use items again, "
      "leave some hard negatives without a partner, or draw partners uniformly");
  options.add_choice(
      "divns.penalty", penalty,
      {{"formula", PenaltyRange::kFormula},
       {"clip", PenaltyRange::kClip},
       {"half", PenaltyRange::kHalf}},
      "penalty factor q: 1 - mean cosine (up to 2), the same clipped to 1, or half of it");
  options.add("divns.distinct_hard", distinct_hard,
              "count a hard negative that occurs several times only once in the penalty");
  options.add("divns.unit_kernel", unit_kernel, "scale vectors to unit length in the kernel");
  options.add("divns.cached_vectors", cached_vectors,
              "use the vectors from the time when the cache was filled in the kernel");
  options.add("divns.random_ties", random_ties,
              "break ties between equal gains at random instead of by item number");
  options.add_choice(
      "divns.rank_policy", rank_policy,
      {{"jitter", RankPolicy::kJitter},
       {"rounds", RankPolicy::kRounds},
       {"stop", RankPolicy::kStop}},
      "choice beyond the rank of the kernel: continue with a jittered diagonal, start again "
      "with the remaining items, or stop and apply divns.shortage");
  options.add("divns.jitter", jitter, "constant that is added to the diagonal of the kernel")
      .above(0);
}

void DivnsOptions::check() const {
  if (has_module_two() && candidates.candidates <= cache_ratio)
    fail(
        "divns.cache_ratio is {}, but of divns.candidates = {} only {} are left beside the "
        "hardest; draw more candidates or keep fewer.",
        cache_ratio, candidates.candidates, candidates.candidates - 1);
  if (opposite_to == OppositeTo::kPositions && diverse != DiverseRule::kOpposite)
    fail("divns.opposite_to = positions needs divns.diverse = opposite.");
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
  // With half of every q the kernel is a quarter, and K/4 + eps I gives the choice of K + 4 eps I.
  config.jitter = penalty == PenaltyRange::kHalf ? 4 * jitter : jitter;
  return config;
}

}  // namespace divns
