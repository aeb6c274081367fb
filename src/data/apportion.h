// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace divns {

// ((k + 1/2) / n + head)^(-exponent) for the ranks k = 0 .. n-1: a power law that is flat over the
// first `head` of the ranks, so that the top rank does not run away as n grows.
std::vector<double> power_law(uint64_t n, double exponent, double head);

// Whole numbers that sum to `total`, each at least `minimum` and at most `maximum`, and beyond the
// minimum as nearly proportional to the (positive) weights as the maximum allows. Needs
// minimum * n <= total <= maximum * n, and total and maximum below 2^32.
std::vector<uint64_t> apportion(uint64_t total, uint64_t minimum, uint64_t maximum,
                                std::span<const double> weights);

}  // namespace divns
