// SPDX-License-Identifier: Apache-2.0
#include "divns/random.h"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/check.h"
#include "base/portable_math.h"

namespace divns {

Draws::Words philox(Draws::Words counter, std::array<uint32_t, 2> key) {
  const r123::Philox4x32::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k = {{key[0], key[1]}};
  const auto r = r123::Philox4x32()(c, k);
  return {r[0], r[1], r[2], r[3]};
}

void Draws::refill() {
  words_ = counter_[3] < ready_.size() ? ready_[counter_[3]] : philox(counter_, key_);
  ++counter_[3];
  used_ = 0;
}

uint32_t Draws::below(uint32_t n) {
  uint64_t product = uint64_t{u32()} * n;
  if (static_cast<uint32_t>(product) < n) {
    const uint32_t unfair = (0U - n) % n;
    while (static_cast<uint32_t>(product) < unfair) product = uint64_t{u32()} * n;
  }
  return static_cast<uint32_t>(product >> 32);
}

uint64_t Draws::below64(uint64_t n) {
  if (n <= UINT32_MAX) return below(static_cast<uint32_t>(n));
  __extension__ using Wide = unsigned __int128;
  Wide product = Wide{u64()} * n;
  if (static_cast<uint64_t>(product) < n) {
    const uint64_t unfair = (0U - n) % n;
    while (static_cast<uint64_t>(product) < unfair) product = Wide{u64()} * n;
  }
  return static_cast<uint64_t>(product >> 64);
}

double Draws::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  // 1 - U lies in (0, 1], so the logarithm is finite.
  const double radius = std::sqrt(-2.0 * portable::log(1.0 - uniform()));
  const auto [sine, cosine] = portable::sine_cosine_of_turns(uniform());
  spare_normal_ = radius * sine;
  has_spare_normal_ = true;
  return radius * cosine;
}

Random::Random(uint64_t seed, std::string_view purpose) {
  // FNV-1a of the purpose goes into the counter of one Philox call under the seed: a keyed hash of
  // the pair.
  uint64_t name = 0xcbf29ce484222325ULL;
  for (const char c : purpose) name = (name ^ static_cast<uint8_t>(c)) * 0x100000001b3ULL;
  const auto words = philox({static_cast<uint32_t>(name), static_cast<uint32_t>(name >> 32), 0, 0},
                            {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
  key_ = {words[0], words[1]};
}

Draws::Words Random::block(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const {
  return philox({a, b, c, d}, key_);
}

void sample_without_replacement(Draws& draws, uint32_t n, std::span<uint32_t> out) {
  const size_t k = out.size();
  DIVNS_ASSERT(k <= n);
  constexpr size_t kSmall = 48;
  if (k <= kSmall && 4 * k <= n) {
    // Few of many: to draw again what was drawn before takes the fewest draws, and no shuffle.
    for (auto end = out.begin(); end != out.end(); ++end) {
      do {
        *end = draws.below(n);
      } while (std::find(out.begin(), end, *end) != end);
    }
    return;
  }
  // Floyd: the j-th draw is uniform in [0, n-k+j]; a value met before is replaced by n-k+j itself.
  std::unordered_set<uint32_t> seen;
  if (k > kSmall) seen.reserve(k);
  for (size_t j = 0; j < k; ++j) {
    const auto top = static_cast<uint32_t>(n - k + j);
    uint32_t value = draws.below(top + 1);
    const bool met = k > kSmall ? !seen.insert(value).second
                                : std::find(out.begin(), out.begin() + static_cast<ptrdiff_t>(j),
                                            value) != out.begin() + static_cast<ptrdiff_t>(j);
    if (met) {
      value = top;
      if (k > kSmall) seen.insert(value);
    }
    out[j] = value;
  }
  // Floyd's choice of the set is uniform, its order is not.
  shuffle(draws, out);
}

}  // namespace divns
