// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/random.h"
#include "divns/sampler.h"
#include "samplers/candidates.h"
#include "samplers/divns/settings.h"

namespace divns {

// Gives every hard negative of a user a diverse item as its partner: a random one, or those of
// `partners` in their order. Each item is used once before any is used again. `partners` has one
// entry per hard negative; on input its first `diverse` entries are the diverse items. Entries
// without a partner become kNoItem: all of them if there are no diverse items. `scratch` belongs to
// the worker.
void pair_up(Draws& draws, uint32_t user, const CandidateDrawer& drawer,
             const DivnsOptions& options, std::span<uint32_t> partners, size_t diverse,
             std::vector<uint32_t>& scratch);

// The negatives of a batch from a hard negative and a partner per list; `lists` lists per row. A
// partner may be kNoItem.
struct ChosenItems {
  std::span<const uint32_t> hard;
  std::span<const uint32_t> partners;
  size_t lists;
};
// One negative per list, lambda * hard + (1 - lambda) * partner; the hard negative alone if it has
// no partner.
void set_mixtures(const ChosenItems& items, double lambda, Negatives& negatives);
// Two negatives per list. A hard negative without a partner also takes the partner's place.
void set_pairs(const ChosenItems& items, Negatives& negatives);

}  // namespace divns
