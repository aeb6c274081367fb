// SPDX-License-Identifier: Apache-2.0
#include "kernels/digits.h"

#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/digits.cc"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once for each instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kWordBits = 64;

// Digits become 0 to 9, all else becomes more.
template <class Tag>
hn::Vec<Tag> digit_values(Tag tag, const char* text) {
  return hn::Sub(hn::LoadU(tag, reinterpret_cast<const uint8_t*>(text)),
                 hn::Set(tag, uint8_t{'0'}));
}

// Bit i is set if byte i is no digit.
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

// Whole words of 64 bytes; returns how many positions were found.
size_t find_non_digits(const char* text, size_t words, uint32_t* positions) {
  uint32_t* out = positions;
  for (size_t word = 0; word < words; ++word) {
    const auto base = static_cast<uint32_t>(word * kWordBits);
    uint64_t bits = non_digit_bits(text + base);
    const auto count = static_cast<size_t>(std::popcount(bits));
    // Eight at a time, whether there are as many or not: the processor foresees how many rounds
    // there will be far better than how many positions.
    for (size_t done = 0; done < count; done += kSparePositions)
      for (size_t k = 0; k < kSparePositions; ++k) {
        out[done + k] = base + static_cast<uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
      }
    out += count;
  }
  return static_cast<size_t>(out - positions);
}

// Looks at the bytes from `begin` on, as many as fill vectors before `end`, and moves `begin`
// behind them. The bytes beside them can be read.
bool has_leading_zero(const char*& begin, const char* end) {
  const hn::ScalableTag<uint8_t> tag;
  const auto nine = hn::Set(tag, uint8_t{9});
  auto found = hn::Zero(tag);
  const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(tag));
  for (; end - begin >= lanes; begin += lanes) {
    const auto is_zero = hn::Eq(digit_values(tag, begin), hn::Zero(tag));
    const auto starts = hn::Gt(digit_values(tag, begin - 1), nine);
    const auto ends = hn::Gt(digit_values(tag, begin + 1), nine);
    const auto leads = hn::AndNot(ends, hn::And(is_zero, starts));
    found = hn::Or(found, hn::IfThenElseZero(leads, nine));
  }
  return !hn::AllTrue(tag, hn::Eq(found, hn::Zero(tag)));
}

#if HWY_TARGET == HWY_SCALAR

// A vector of one lane has no neighbours to join, and nothing to gain.
size_t decimal_values(const uint64_t*, size_t, uint32_t*) {
  return 0;
}

#else

// Neighbours are joined three times: digits to numbers below 100, those to numbers below 10,000,
// and those to the whole. The earlier digit lies in the lower half.
size_t decimal_values(const uint64_t* words, size_t count, uint32_t* values) {
  const hn::ScalableTag<uint64_t> tag64;
  const hn::RepartitionToNarrow<decltype(tag64)> tag32;
  const hn::RepartitionToNarrow<decltype(tag32)> tag16;
  const hn::Half<decltype(tag32)> out;
  const auto digit = hn::Set(tag16, uint16_t{0x0f});
  const auto low16 = hn::Set(tag32, 0xffffU);
  const size_t lanes = hn::Lanes(tag64);
  size_t done = 0;
  for (; done + lanes <= count; done += lanes) {
    const auto text = hn::BitCast(tag16, hn::LoadU(tag64, words + done));
    const auto later = hn::And(hn::ShiftRight<8>(text), digit);
    const auto twos = hn::BitCast(
        tag32, hn::Add(hn::Mul(hn::And(text, digit), hn::Set(tag16, uint16_t{10})), later));
    const auto fours =
        hn::Add(hn::Mul(hn::And(twos, low16), hn::Set(tag32, 100U)), hn::ShiftRight<16>(twos));
    const auto eights = hn::Add(hn::MulEven(fours, hn::Set(tag32, 10000U)),
                                hn::ShiftRight<32>(hn::BitCast(tag64, fours)));
    hn::StoreU(hn::TruncateTo(out, eights), out, values + done);
  }
  return done;
}

#endif

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(find_non_digits);
HWY_EXPORT(has_leading_zero);
HWY_EXPORT(decimal_values);

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
  // The first byte has nothing before it, the last nothing behind it.
  const char* at = text.data() + 1;
  return reference::has_leading_zero(text.substr(0, 2)) ||
         HWY_DYNAMIC_DISPATCH(has_leading_zero)(at, text.data() + text.size() - 1) ||
         reference::has_leading_zero(text, static_cast<size_t>(at - text.data()));
}

void decimal_values(std::span<const uint64_t> words, std::span<uint32_t> values) {
  const size_t done =
      HWY_DYNAMIC_DISPATCH(decimal_values)(words.data(), words.size(), values.data());
  reference::decimal_values(words.subspan(done), values.subspan(done));
}

}  // namespace divns
#endif
