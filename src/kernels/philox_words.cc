// SPDX-License-Identifier: Apache-2.0
#include "kernels/philox_words.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/philox_words.cc"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once for each instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// A vector of one lane has no odd and even ones, and nothing to gain.
size_t philox_words(const uint32_t*, uint64_t, size_t, uint32_t*) {
  return 0;
}

#else

// Both halves of the 64-bit products of the lanes: even and odd lanes are multiplied apart.
template <class V>
void wide_product(V a, V factor, V& high, V& low) {
  const hn::DFromV<V> tag;
  const hn::RepartitionToWide<decltype(tag)> wide;
  const auto even = hn::MulEven(a, factor);
  const auto odd = hn::MulEven(hn::BitCast(tag, hn::ShiftRight<32>(hn::BitCast(wide, a))), factor);
  high = hn::OddEven(hn::BitCast(tag, odd), hn::BitCast(tag, hn::ShiftRight<32>(even)));
  low = hn::OddEven(hn::BitCast(tag, hn::ShiftLeft<32>(odd)), hn::BitCast(tag, even));
}

// Writes whole vectors of blocks and returns how many blocks those are.
size_t philox_words(const uint32_t* key, uint64_t first_block, size_t blocks, uint32_t* out) {
  const hn::ScalableTag<uint32_t> tag;
  const size_t lanes = hn::Lanes(tag);
  const auto factor0 = hn::Set(tag, 0xD2511F53U);
  const auto factor1 = hn::Set(tag, 0xCD9E8D57U);
  size_t done = 0;
  for (; done + lanes <= blocks; done += lanes) {
    const uint64_t block = first_block + done;
    const auto low = static_cast<uint32_t>(block);
    const auto high = static_cast<uint32_t>(block >> 32);
    // Where the lower half runs over within the vector, the scalar way is left to go on.
    if (low > UINT32_MAX - lanes) break;
    auto c0 = hn::Iota(tag, low);
    auto c1 = hn::Set(tag, high);
    auto c2 = hn::Zero(tag);
    auto c3 = hn::Zero(tag);
    uint32_t key0 = key[0];
    uint32_t key1 = key[1];
    for (int round = 0; round < 10; ++round) {
      auto high0 = c0;
      auto low0 = c0;
      auto high1 = c0;
      auto low1 = c0;
      wide_product(c0, factor0, high0, low0);
      wide_product(c2, factor1, high1, low1);
      c0 = hn::Xor(hn::Xor(high1, c1), hn::Set(tag, key0));
      c1 = low1;
      c2 = hn::Xor(hn::Xor(high0, c3), hn::Set(tag, key1));
      c3 = low0;
      key0 += 0x9E3779B9U;
      key1 += 0xBB67AE85U;
    }
    hn::StoreInterleaved4(c0, c1, c2, c3, tag, out + 4 * done);
  }
  return done;
}

#endif

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(philox_words);

void philox_words(std::array<uint32_t, 2> key, uint64_t first_block, std::span<uint32_t> out) {
  const size_t done =
      HWY_DYNAMIC_DISPATCH(philox_words)(key.data(), first_block, out.size() / 4, out.data());
  reference::philox_words(key, first_block + done, out.subspan(4 * done));
}

}  // namespace divns
#endif
