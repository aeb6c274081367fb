// SPDX-License-Identifier: Apache-2.0
// Randomness is a function, not a state. A Random is a key (seed and purpose); a draw is the value
// of Philox4x32-10 at a counter of four 32-bit coordinates, by convention (epoch, user, positive,
// draw). Any thread can compute any draw, so no result depends on the number of threads or on the
// order of work.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace divns {

// The words at coordinates (a, b, c, 0), (a, b, c, 1), ... as one sequence. Rejection takes as many
// as it needs.
class Draws {
 public:
  using Words = std::array<uint32_t, 4>;

  Draws(std::array<uint32_t, 2> key, uint32_t a, uint32_t b, uint32_t c)
      : key_(key), counter_{a, b, c, 0} {}
  // The same sequence, of which the first blocks have been made already; they stay where they are.
  Draws(std::array<uint32_t, 2> key, uint32_t a, uint32_t b, uint32_t c,
        std::span<const Words> ready)
      : key_(key), counter_{a, b, c, 0}, ready_(ready) {}

  uint32_t u32() {
    if (used_ == 4) refill();
    return words_[used_++];
  }
  uint64_t u64() {
    const uint64_t low = u32();
    return low | (uint64_t{u32()} << 32);
  }
  // Uniform in [0, n) without bias (multiply-shift with rejection); n > 0.
  uint32_t below(uint32_t n);
  uint64_t below64(uint64_t n);
  // Uniform in [0, 1), on a grid of 2^-24 and 2^-53.
  float uniform_float() { return static_cast<float>(u32() >> 8) * 0x1p-24F; }
  double uniform() { return static_cast<double>(u64() >> 11) * 0x1p-53; }
  // Standard normal by Box and Muller; the second deviate of each pair is kept.
  double normal();

 private:
  void refill();

  std::array<uint32_t, 2> key_;
  Words counter_;
  std::span<const Words> ready_;
  Words words_{};
  uint32_t used_ = 4;
  bool has_spare_normal_ = false;
  double spare_normal_ = 0;
};

class Random {
 public:
  // Different purposes ("split", "synth.items", ...) give unrelated functions for the same seed.
  Random(uint64_t seed, std::string_view purpose);

  Draws::Words block(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const;
  Draws draws(uint32_t a = 0, uint32_t b = 0, uint32_t c = 0) const { return {key_, a, b, c}; }
  Draws draws(uint32_t a, uint32_t b, uint32_t c, std::span<const Draws::Words> ready) const {
    return {key_, a, b, c, ready};
  }
  std::array<uint32_t, 2> key() const { return key_; }

 private:
  std::array<uint32_t, 2> key_;
};

// Fisher and Yates; every order equally likely.
template <class T>
void shuffle(Draws& draws, std::span<T> values) {
  for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[draws.below64(i)]);
}

// Fills out with distinct values of [0, n), every ordered choice equally likely; out.size() <= n.
// O(k^2) comparisons for small k, an O(k) hash set beyond.
void sample_without_replacement(Draws& draws, uint32_t n, std::span<uint32_t> out);

// Philox4x32-10 itself, for the known-answer test.
Draws::Words philox(Draws::Words counter, std::array<uint32_t, 2> key);

}  // namespace divns
