// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace divns {

// out[i] = the bfloat16 nearest to in[i], ties to even. Finite values; count is a multiple of 8.
void round_to_bfloat16(const float* in, size_t count, uint16_t* out);

namespace reference {
void round_to_bfloat16(const float* in, size_t count, uint16_t* out);
float from_bfloat16(uint16_t value);
}  // namespace reference
}  // namespace divns
