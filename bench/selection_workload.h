// SPDX-License-Identifier: Apache-2.0
// A DivNS selection as it arises in training: per user the cache of one epoch, the hard negatives
// of the next, and as many items to choose as the user has train positives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/aligned.h"
#include "divns/dpp.h"

namespace divns::bench {

struct SelectionWorkload {
  uint32_t dim = 64;
  uint32_t items = 0;
  AlignedVector<float> vectors;  // items x dim
  std::vector<uint64_t> candidate_offsets;
  std::vector<uint32_t> candidates;
  std::vector<uint64_t> against_offsets;
  std::vector<uint32_t> against;
  std::vector<uint32_t> sizes;

  VectorTable table() const { return {vectors.data(), items, dim, dim}; }
  DppSets sets() const { return {candidate_offsets, candidates, against_offsets, against, sizes}; }
};

// `path`: user<TAB>item lines, gzip. A 70 % sample of the pairs trains item vectors by matrix
// factorisation (BPR, plain stochastic gradient, `epochs` passes); the rest is dropped. Per
// positive n candidates are drawn and ranked by the user's scores: the first is the hard negative,
// the next m go to the cache.
SelectionWorkload make_selection_workload(const std::string& path, uint32_t n, uint32_t m,
                                          int epochs, uint64_t seed);

}  // namespace divns::bench
