// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory_resource>
#include <vector>

namespace divns {

// Memory that starts on a cache line, which is also the widest vector load. From two megabytes on
// it lies on huge pages where the system allows it: rows are read in random order, and with small
// pages looking up where a row lies would cost more than reading it.
void* allocate_aligned(size_t bytes);
void free_aligned(void* memory, size_t bytes);

// The same as a resource for containers, below one that hands out small pieces.
std::pmr::memory_resource& aligned_resource();

template <class T>
struct CacheLineAllocator {
  using value_type = T;

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(size_t n) { return static_cast<T*>(allocate_aligned(n * sizeof(T))); }
  void deallocate(T* p, size_t n) { free_aligned(p, n * sizeof(T)); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace divns
