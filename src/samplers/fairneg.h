// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "divns/sampler.h"

namespace divns {

// FairNeg: items have groups (option item_groups) with sampling probabilities p_z. At the start of
// an epoch, L_z is the mean of -log sigmoid(s(u, i)) over the training pairs with i in group z, and
//   g_z = L_z - mean_z L_z,   v_z <- momentum v_z + (1 - momentum) g_z,   p_z <- p_z - rate v_z,
// clipped to [0, 1] and scaled to sum 1: items of a group with a high loss are drawn less often as
// negatives. A negative is, with probability `hard`, a draw from n uniform candidates by the
// softmax of score / tau, and otherwise a uniform item of a group that is drawn by p.
std::unique_ptr<Sampler> make_fairneg();

// One update of the probabilities. Groups with a negative loss entry have no pairs: they keep their
// probability before scaling.
struct GroupProbabilities {
  std::vector<double> probability;
  std::vector<double> velocity;

  void update(std::span<const double> losses, double rate, double momentum);
};

}  // namespace divns
