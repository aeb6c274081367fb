// SPDX-License-Identifier: Apache-2.0
#include "dpp/inclusion.h"

#include <cmath>
#include <numeric>

#include "base/check.h"
#include "dpp/elementary_symmetric.h"

namespace divns {

std::vector<double> kdpp_inclusion(const FeatureRows& rows, const DualSpectrum& spectrum,
                                   size_t k) {
  DIVNS_ASSERT(k >= 1 && k <= spectrum.rank());
  const size_t rank = spectrum.rank();
  const double total = ElementarySymmetric(spectrum.values(), k).log_total(k);
  // Chance that eigenvector r is among the k that span the draw.
  std::vector<double> chances(rank);
  for (size_t r = 0; r < rank; ++r) {
    std::vector<double> others = spectrum.values();
    others.erase(others.begin() + static_cast<ptrdiff_t>(r));
    const double without = ElementarySymmetric(others, k - 1).log_total(k - 1);
    chances[r] = std::exp(std::log(spectrum.values()[r]) + without - total);
  }
  std::vector<size_t> all(rank);
  std::iota(all.begin(), all.end(), size_t{0});
  Frame frame;
  frame.reset(rows.size(), rank);
  spectrum.eigenvectors(rows, all, frame);
  std::vector<double> inclusion(rows.size(), 0);
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t r = 0; r < rank; ++r)
      inclusion[i] += frame.row(i)[r] * frame.row(i)[r] * chances[r];
  return inclusion;
}

}  // namespace divns
