// SPDX-License-Identifier: Apache-2.0
#include "data/csr.h"

#include <algorithm>
#include <array>

#include "data/pair_list.h"

namespace divns {
namespace {

constexpr size_t kParts = 3;
constexpr uint32_t kUsersPerChunk = 4096;

// Where the keys of user `user` begin; keys ascend.
size_t first_key(std::span<const uint64_t> keys, uint32_t user) {
  return static_cast<size_t>(std::lower_bound(keys.begin(), keys.end(), PairList::key(user, 0)) -
                             keys.begin());
}

}  // namespace

Csr rows_of_keys(std::span<const uint64_t> keys, uint32_t users) {
  const std::vector<uint8_t> labels(keys.size());
  return std::move(rows_by_label(keys, labels, users, Executor(1))[0]);
}

std::vector<Csr> rows_by_label(std::span<const uint64_t> keys, std::span<const uint8_t> labels,
                               uint32_t users, const Executor& executor) {
  std::vector<Csr> parts(kParts);
  for (Csr& part : parts) part.offsets.resize(size_t{users} + 1);
  // Counts of each user go to offsets[user + 1]; users of different chunks never meet.
  executor.for_chunks(users, kUsersPerChunk, [&](size_t begin, size_t end) {
    const size_t last = first_key(keys, static_cast<uint32_t>(end));
    for (size_t i = first_key(keys, static_cast<uint32_t>(begin)); i < last; ++i)
      ++parts[labels[i]].offsets[PairList::user(keys[i]) + 1];
  });
  for (Csr& part : parts) {
    for (size_t u = 0; u < users; ++u) part.offsets[u + 1] += part.offsets[u];
    part.items.resize(part.offsets[users]);
  }
  executor.for_chunks(users, kUsersPerChunk, [&](size_t begin, size_t end) {
    std::array<uint32_t*, kParts> out{};
    for (size_t p = 0; p < kParts; ++p) out[p] = parts[p].items.data() + parts[p].offsets[begin];
    const size_t last = first_key(keys, static_cast<uint32_t>(end));
    for (size_t i = first_key(keys, static_cast<uint32_t>(begin)); i < last; ++i)
      *out[labels[i]]++ = PairList::item(keys[i]);
  });
  return parts;
}

}  // namespace divns
