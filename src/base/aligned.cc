// SPDX-License-Identifier: Apache-2.0
#include "divns/aligned.h"

#include <sys/mman.h>

#include <new>

#include "base/check.h"

namespace divns {
namespace {

constexpr size_t kCacheLine = 64;
constexpr size_t kHugePage = size_t{2} << 20;

std::align_val_t alignment(size_t bytes) {
  return std::align_val_t{bytes >= kHugePage ? kHugePage : kCacheLine};
}

class AlignedResource : public std::pmr::memory_resource {
  void* do_allocate(size_t bytes, size_t align) override {
    DIVNS_ASSERT(align <= kCacheLine);
    return allocate_aligned(bytes);
  }
  void do_deallocate(void* memory, size_t bytes, size_t) override { free_aligned(memory, bytes); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

void* allocate_aligned(size_t bytes) {
  if (bytes < kHugePage) return ::operator new(bytes, alignment(bytes));
  // Whole huge pages, or the end of the array would lie on small ones.
  const size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* memory = ::operator new(whole, alignment(bytes));
  ::madvise(memory, whole, MADV_HUGEPAGE);
  return memory;
}

void free_aligned(void* memory, size_t bytes) {
  ::operator delete(memory, alignment(bytes));
}

std::pmr::memory_resource& aligned_resource() {
  static AlignedResource resource;
  return resource;
}

}  // namespace divns
