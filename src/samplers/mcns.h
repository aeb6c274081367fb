// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "divns/sampler.h"

namespace divns {

// MCNS: negatives are states of a Metropolis-Hastings chain with the target distribution
//   p(j | u) proportional to sigmoid(s(u, j))^alpha over I_u-,
// and the proposal q(y | x): with probability `uniform` any item, otherwise one of the nearest
// items of x. A chain visits the users in depth-first order of the graph of training pairs and goes
// on from the last state of the user before, so that it is burnt in only once. Chains run at the
// start of an epoch, on the vectors of that moment.
std::unique_ptr<Sampler> make_mcns();

// The users in the order of a depth-first walk over the graph of users and items, from user 0 and
// then from each user not yet visited, neighbours in ascending order.
std::vector<uint32_t> depth_first_users(const Interactions& train);

}  // namespace divns
