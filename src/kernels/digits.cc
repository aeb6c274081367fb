// SPDX-License-Identifier: Apache-2.0
#include "kernels/digits.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/digits.cc"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kWordBits = 64;

// Digits become 0 to 9, all other bytes become larger.
template <class Tag>
hn::Vec<Tag> digit_values(Tag tag, const char* text) {
  return hn::Sub(hn::LoadU(tag, reinterpret_cast<const uint8_t*>(text)),
                 hn::Set(tag, uint8_t{'0'}));
}

// Bit i is set if byte i is not a digit.
HWY_INLINE uint64_t non_digit_bits(const char* text) {
  const hn::CappedTag<uint8_t, kWordBits> tag;
  const auto nine = hn::Set(tag, uint8_t{9});
  uint64_t bits = 0;
  for (size_t i = 0; i < kWordBits; i += hn::Lanes(tag)) {
    uint64_t part = 0;
    uint8_t stored[8] = {};
    hn::StoreMaskBits(tag, hn::Gt(digit_values(tag, text + i), nine), stored);
    std::memcpy(&part, stored, sizeof part);
    bits |= part << i;
  }
  return bits;
}

// Processes whole groups of 64 bytes; returns the number of positions found.
size_t find_non_digits(const char* text, size_t words, uint32_t* positions) {
  uint32_t* out = positions;
  for (size_t word = 0; word < words; ++word) {
    const auto base = static_cast<uint32_t>(word * kWordBits);
    uint64_t bits = non_digit_bits(text + base);
    const auto count = static_cast<size_t>(std::popcount(bits));
    // Eight at a time, even if there are fewer: the number of rounds is easier to predict for the
    // processor than the number of positions.
    for (size_t done = 0; done < count; done += kSparePositions)
      for (size_t k = 0; k < kSparePositions; ++k) {
        out[done + k] = base + static_cast<uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
      }
    out += count;
  }
  return static_cast<size_t>(out - positions);
}

// Checks the bytes from `begin` to `end` if they fill a vector, and advances `begin`. Bytes around
// them must be readable.
bool has_leading_zero(const char*& begin, const char* end) {
  const hn::ScalableTag<uint8_t> tag;
  const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(tag));
  if (end - begin < lanes) return false;
  const auto nine = hn::Set(tag, uint8_t{9});
  auto found = hn::Zero(tag);
  while (begin < end) {
    const char* at = std::min(begin, end - lanes);  // the last vector may overlap the previous one
    const auto is_zero = hn::Eq(digit_values(tag, at), hn::Zero(tag));
    const auto starts = hn::Gt(digit_values(tag, at - 1), nine);
    const auto ends = hn::Gt(digit_values(tag, at + 1), nine);
    const auto leads = hn::AndNot(ends, hn::And(is_zero, starts));
    found = hn::Or(found, hn::IfThenElseZero(leads, nine));
    begin = at + lanes;
  }
  return !hn::AllTrue(tag, hn::Eq(found, hn::Zero(tag)));
}

#if HWY_TARGET == HWY_SCALAR

// A vector of one lane has no neighbours to combine and gains nothing.
bool decimal_pairs(const DigitWords&, uint32_t*, uint32_t*, size_t& done) {
  done = 0;
  return true;
}

#else

// Numbers of eight digits, the last digit in the highest byte. Neighbours are combined three times:
// digits to numbers below 100, these to numbers below 10,000, and these to the whole number. The
// earlier digit is in the lower half.
template <class V>
HWY_INLINE auto joined_digits(V digits) {
  const hn::DFromV<V> tag64;
  const hn::RepartitionToNarrow<decltype(tag64)> tag32;
  const hn::RepartitionToNarrow<decltype(tag32)> tag16;
  const auto text = hn::BitCast(tag16, digits);
  const auto digit = hn::Set(tag16, uint16_t{0x0f});
  const auto later = hn::And(hn::ShiftRight<8>(text), digit);
  const auto twos = hn::BitCast(
      tag32, hn::Add(hn::Mul(hn::And(text, digit), hn::Set(tag16, uint16_t{10})), later));
  const auto fours = hn::Add(hn::Mul(hn::And(twos, hn::Set(tag32, 0xffffU)), hn::Set(tag32, 100U)),
                             hn::ShiftRight<16>(twos));
  const auto eights = hn::Add(hn::MulEven(fours, hn::Set(tag32, 10000U)),
                              hn::ShiftRight<32>(hn::BitCast(tag64, fours)));
  return hn::TruncateTo(hn::Half<decltype(tag32)>(), eights);
}

// Processes whole vectors of pairs; `done` is their number.
bool decimal_pairs(const DigitWords& words, uint32_t* users, uint32_t* items, size_t& done) {
  const hn::ScalableTag<uint64_t> tag64;
  const hn::Half<hn::RepartitionToNarrow<decltype(tag64)> > tag32;
  const size_t lanes = hn::Lanes(tag64);
  const auto one = hn::Set(tag32, 1U);
  auto lengths = hn::Zero(tag32);  // length - 1 of valid numbers fits in three bits
  const auto values = [&](const uint64_t* text, auto begin, auto end) {
    const auto shorter = hn::Sub(hn::Sub(end, begin), hn::Add(one, one));  // length - 1
    lengths = hn::Or(lengths, shorter);
    // Bytes after the last digit are shifted out. For invalid lengths the result is not used, but
    // the shift must stay below 64.
    const auto missing = hn::And(hn::Sub(hn::Set(tag32, 7U), shorter), hn::Set(tag32, 7U));
    const auto bits = hn::ShiftLeft<3>(missing);
    return joined_digits(hn::Shl(hn::LoadU(tag64, text), hn::PromoteTo(tag64, bits)));
  };
  for (done = 0; done + lanes <= words.users.size(); done += lanes) {
    auto end0 = hn::Zero(tag32);
    auto end1 = hn::Zero(tag32);
    auto end2 = hn::Zero(tag32);
    hn::LoadInterleaved2(tag32, words.ends.data() + 2 * done, end0, end1);
    hn::LoadInterleaved2(tag32, words.ends.data() + 2 * done + 1, end1, end2);
    hn::StoreU(values(words.users.data() + done, end0, end1), tag32, users + done);
    hn::StoreU(values(words.items.data() + done, end1, end2), tag32, items + done);
  }
  return hn::AllTrue(tag32, hn::Lt(lengths, hn::Set(tag32, 8U)));
}

#endif

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(find_non_digits);
HWY_EXPORT(has_leading_zero);
HWY_EXPORT(decimal_pairs);

size_t find_non_digits(std::string_view text, std::span<uint32_t> positions) {
  const size_t words = text.size() / 64;
  size_t count = HWY_DYNAMIC_DISPATCH(find_non_digits)(text.data(), words, positions.data());
  const size_t done = words * 64;
  const size_t more = reference::find_non_digits(text.substr(done), positions.subspan(count));
  for (uint32_t& position : positions.subspan(count, more)) position += static_cast<uint32_t>(done);
  return count + more;
}

bool has_leading_zero(std::string_view text) {
  if (text.size() < 2) return false;
  // The first byte has no predecessor, the last one no successor.
  const char* at = text.data() + 1;
  return reference::has_leading_zero(text.substr(0, 2)) ||
         HWY_DYNAMIC_DISPATCH(has_leading_zero)(at, text.data() + text.size() - 1) ||
         reference::has_leading_zero(text, static_cast<size_t>(at - text.data()));
}

bool decimal_pairs(const DigitWords& words, std::span<uint32_t> users, std::span<uint32_t> items) {
  size_t done = 0;
  return HWY_DYNAMIC_DISPATCH(decimal_pairs)(words, users.data(), items.data(), done) &&
         reference::decimal_pairs(words, users, items, done);
}

}  // namespace divns
#endif
