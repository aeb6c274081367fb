// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace divns {

// Large arrays that are about to be overwritten anyway: not zeroed first, and on huge pages where
// the system allows it, because at hundreds of megabytes the page faults would cost as much as the
// work.
template <class T>
struct ScratchAllocator {
  using value_type = T;
  static constexpr size_t kHugePage = size_t{2} << 20;

  ScratchAllocator() = default;
  template <class U>
  ScratchAllocator(const ScratchAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  static std::align_val_t alignment(size_t n) {
    return std::align_val_t{n * sizeof(T) >= kHugePage ? kHugePage : 64};
  }
  T* allocate(size_t n) {
    void* memory = ::operator new(n * sizeof(T), alignment(n));
    if (n * sizeof(T) >= kHugePage) ::madvise(memory, n * sizeof(T), MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, size_t n) { ::operator delete(p, alignment(n)); }
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
  bool operator==(const ScratchAllocator&) const { return true; }
};

template <class T>
using ScratchVector = std::vector<T, ScratchAllocator<T>>;

}  // namespace divns
