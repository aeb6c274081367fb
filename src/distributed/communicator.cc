// SPDX-License-Identifier: Apache-2.0
#include "distributed/communicator.h"

#include <algorithm>

#include "base/check.h"

namespace divns {

std::vector<std::vector<std::byte>> Communicator::gather(std::span<const std::byte> mine) {
  std::vector<std::vector<std::byte>> all(static_cast<size_t>(size()));
  std::vector<uint64_t> lengths(all.size());
  const auto length_of = [&](int rank) {
    return std::as_writable_bytes(std::span(lengths).subspan(static_cast<size_t>(rank), 1));
  };
  lengths[static_cast<size_t>(rank())] = mine.size();
  for (int from = 0; from < size(); ++from) {
    std::vector<std::byte>& part = all[static_cast<size_t>(from)];
    broadcast(from, length_of(from));
    part.resize(lengths[static_cast<size_t>(from)]);
    if (from == rank()) std::ranges::copy(mine, part.begin());
    broadcast(from, part);
  }
  return all;
}

// There is nobody to talk to.
void SingleProcess::send(int /*to*/, std::span<const std::byte> /*bytes*/) {
  DIVNS_ASSERT(false);
}
void SingleProcess::receive(int /*from*/, std::span<std::byte> /*bytes*/) {
  DIVNS_ASSERT(false);
}
void SingleProcess::exchange(int /*to*/, std::span<const std::byte> /*out*/, int /*from*/,
                             std::span<std::byte> /*in*/) {
  DIVNS_ASSERT(false);
}

}  // namespace divns
