// SPDX-License-Identifier: Apache-2.0
#include "kernels/divide_by_label.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/divide_by_label.cc"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divns::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Compress and store separately: some processors take a hundred times as long for the combined
// instruction.
template <class Tag, class Mask>
HWY_INLINE uint32_t* append(Tag tag, hn::Vec<Tag> values, Mask chosen, uint32_t* out) {
  const size_t count = hn::CountTrue(tag, chosen);
  hn::BlendedStore(hn::Compress(values, chosen), hn::FirstN(tag, count), tag, out);
  return out + count;
}

// Processes whole vectors; returns the number of values.
size_t divide_by_label(const uint32_t* values, const uint8_t* labels, size_t count,
                       uint32_t** outputs) {
  const hn::ScalableTag<uint32_t> tag;
  const hn::Rebind<uint8_t, decltype(tag)> narrow;
  const size_t lanes = hn::Lanes(tag);
  uint32_t* out0 = outputs[0];
  uint32_t* out1 = outputs[1];
  uint32_t* out2 = outputs[2];
  size_t done = 0;
  for (; done + lanes <= count; done += lanes) {
    const auto value = hn::LoadU(tag, values + done);
    const auto label = hn::PromoteTo(tag, hn::LoadU(narrow, labels + done));
    out0 = append(tag, value, hn::Eq(label, hn::Set(tag, 0U)), out0);
    out1 = append(tag, value, hn::Eq(label, hn::Set(tag, 1U)), out1);
    out2 = append(tag, value, hn::Eq(label, hn::Set(tag, 2U)), out2);
  }
  outputs[0] = out0;
  outputs[1] = out1;
  outputs[2] = out2;
  return done;
}

}  // namespace divns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divns {

HWY_EXPORT(divide_by_label);

void divide_by_label(std::span<const uint32_t> values, std::span<const uint8_t> labels,
                     std::array<uint32_t*, 3>& outputs) {
  const size_t done = HWY_DYNAMIC_DISPATCH(divide_by_label)(values.data(), labels.data(),
                                                            values.size(), outputs.data());
  reference::divide_by_label(values.subspan(done), labels.subspan(done), outputs);
}

}  // namespace divns
#endif
