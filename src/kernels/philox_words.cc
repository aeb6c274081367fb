// SPDX-License-Identifier: Apache-2.0
#include "kernels/philox_words.h"

#include <bit>

#include "base/check.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/philox_words.cc"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// A vector of one lane has no even and odd lanes and gains nothing.
size_t philox_words(const uint32_t*, uint64_t, size_t, uint32_t*) {
  return 0;
}
size_t philox_blocks(const uint32_t*, uint32_t, uint32_t, size_t, size_t, uint32_t*) {
  return 0;
}

#else

// Both halves of the 64-bit products of the lanes; even and odd lanes are multiplied separately.
template <class V>
void wide_product(V a, V factor, V& high, V& low) {
  const hn::DFromV<V> tag;
  const hn::RepartitionToWide<decltype(tag)> wide;
  const auto even = hn::MulEven(a, factor);
  const auto odd = hn::MulEven(hn::BitCast(tag, hn::ShiftRight<32>(hn::BitCast(wide, a))), factor);
  high = hn::OddEven(hn::BitCast(tag, odd), hn::BitCast(tag, hn::ShiftRight<32>(even)));
  low = hn::OddEven(hn::BitCast(tag, hn::ShiftLeft<32>(odd)), hn::BitCast(tag, even));
}

// The blocks at the counters (c0, c1, c2, c3), one per lane, stored one after another.
template <class V>
HWY_INLINE void store_blocks(const uint32_t* key, V c0, V c1, V c2, V c3, uint32_t* out) {
  const hn::DFromV<V> tag;
  const auto factor0 = hn::Set(tag, 0xD2511F53U);
  const auto factor1 = hn::Set(tag, 0xCD9E8D57U);
  uint32_t key0 = key[0];
  uint32_t key1 = key[1];
  for (int round = 0; round < 10; ++round) {
    V high0, low0, high1, low1;
    wide_product(c0, factor0, high0, low0);
    wide_product(c2, factor1, high1, low1);
    c0 = hn::Xor(hn::Xor(high1, c1), hn::Set(tag, key0));
    c1 = low1;
    c2 = hn::Xor(hn::Xor(high0, c3), hn::Set(tag, key1));
    c3 = low0;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  hn::StoreInterleaved4(c0, c1, c2, c3, tag, out);
}

// Both write whole vectors of blocks and return the number of blocks.
size_t philox_words(const uint32_t* key, uint64_t first_block, size_t blocks, uint32_t* out) {
  const hn::ScalableTag<uint32_t> tag;
  const size_t lanes = hn::Lanes(tag);
  size_t done = 0;
  for (; done + lanes <= blocks; done += lanes) {
    const uint64_t block = first_block + done;
    const auto low = static_cast<uint32_t>(block);
    const auto high = static_cast<uint32_t>(block >> 32);
    // If the lower half overflows within the vector, the scalar code continues.
    if (low > UINT32_MAX - lanes) break;
    store_blocks(key, hn::Iota(tag, low), hn::Set(tag, high), hn::Zero(tag), hn::Zero(tag),
                 out + 4 * done);
  }
  return done;
}

size_t philox_blocks(const uint32_t* key, uint32_t a, uint32_t b, size_t each, size_t blocks,
                     uint32_t* out) {
  const hn::ScalableTag<uint32_t> tag;
  const size_t lanes = hn::Lanes(tag);
  const auto last = hn::Set(tag, static_cast<uint32_t>(each - 1));
  const int shift = std::countr_zero(each);
  size_t done = 0;
  for (; done + lanes <= blocks; done += lanes) {
    const auto i = hn::Iota(tag, static_cast<uint32_t>(done));
    store_blocks(key, hn::Set(tag, a), hn::Add(hn::Set(tag, b), hn::ShiftRightSame(i, shift)),
                 hn::Zero(tag), hn::And(i, last), out + 4 * done);
  }
  return done;
}

#endif

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(philox_words);
HWY_EXPORT(philox_blocks);

void philox_words(std::array<uint32_t, 2> key, uint64_t first_block, std::span<uint32_t> out) {
  const size_t done =
      HWY_DYNAMIC_DISPATCH(philox_words)(key.data(), first_block, out.size() / 4, out.data());
  reference::philox_words(key, first_block + done, out.subspan(4 * done));
}

void philox_blocks(std::array<uint32_t, 2> key, uint32_t a, uint32_t b, size_t each,
                   std::span<Draws::Words> out) {
  DIVNS_ASSERT(std::has_single_bit(each));
  const size_t done = HWY_DYNAMIC_DISPATCH(philox_blocks)(key.data(), a, b, each, out.size(),
                                                          out.empty() ? nullptr : out[0].data());
  // The rest begins with a whole sequence for any number of blocks per vector.
  const size_t whole = done / each * each;
  reference::philox_blocks(key, a, b + static_cast<uint32_t>(whole / each), each,
                           out.subspan(whole));
}

}  // namespace divns
#endif
