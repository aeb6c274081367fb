// SPDX-License-Identifier: Apache-2.0
#include "base/aligned.h"

#include <sys/mman.h>

#include <new>

namespace divns {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

std::align_val_t alignment(size_t bytes) {
  return std::align_val_t{bytes >= kHugePage ? kHugePage : 64};
}

}  // namespace

void* allocate_aligned(size_t bytes) {
  void* memory = ::operator new(bytes, alignment(bytes));
  if (bytes >= kHugePage) ::madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void free_aligned(void* memory, size_t bytes) {
  ::operator delete(memory, alignment(bytes));
}

}  // namespace divns
