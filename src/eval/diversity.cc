// SPDX-License-Identifier: Apache-2.0
#include "eval/diversity.h"

#include <utility>

#include "base/check.h"

namespace divns {

void NegativeDiversity::add(std::span<const uint32_t> users, const VectorTable& negatives,
                            uint32_t per_row) {
  DIVNS_ASSERT(negatives.rows >= users.size() * per_row);
  for (uint32_t b = 0; b < users.size(); ++b)
    for (uint32_t k = 0; k < per_row; ++k) sets_.add(users[b], negatives.row(b * per_row + k));
}

std::optional<double> NegativeDiversity::end_epoch(const Executor& executor) {
  using Part = std::pair<double, size_t>;  // sum and number of users
  const Part total = executor.map_reduce(
      sets_.sets(), 4096, Part(0, 0),
      [&](size_t begin, size_t end) {
        Part part(0, 0);
        for (size_t user = begin; user < end; ++user) {
          if (const auto value = sets_.of(static_cast<uint32_t>(user))) {
            part.first += *value;
            ++part.second;
          }
        }
        return part;
      },
      [](Part a, Part b) { return Part(a.first + b.first, a.second + b.second); });
  sets_.clear();
  if (total.second == 0) return std::nullopt;
  const double value = total.first / static_cast<double>(total.second);
  sum_ += value;
  ++epochs_;
  return value;
}

std::optional<double> NegativeDiversity::mean() const {
  if (epochs_ == 0) return std::nullopt;
  return sum_ / epochs_;
}

}  // namespace divns
