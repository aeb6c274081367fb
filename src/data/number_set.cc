// SPDX-License-Identifier: Apache-2.0
#include "data/number_set.h"

namespace divns {

NumberSet::~NumberSet() {
  for (const auto& page : pages_) delete page.load();
}

NumberSet::Page& NumberSet::page_of(uint32_t number) {
  std::atomic<Page*>& place = pages_[number >> kPageBits];
  Page* page = place.load(std::memory_order_acquire);
  if (page != nullptr) return *page;
  auto fresh = std::make_unique<Page>();
  // Another thread may be quicker; then its page counts.
  if (!place.compare_exchange_strong(page, fresh.get(), std::memory_order_acq_rel)) return *page;
  ++page_count_;
  return *fresh.release();
}

void NumberSet::insert(std::span<const uint32_t> numbers) {
  size_t fresh = 0;
  for (const uint32_t number : numbers) {
    std::atomic<uint64_t>& word = page_of(number).words[(number >> 6) & (kWords - 1)];
    const uint64_t bit = uint64_t{1} << (number & 63);
    if ((word.load(std::memory_order_relaxed) & bit) == 0 &&
        (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0)
      ++fresh;
  }
  size_ += fresh;
}

void NumberSet::prepare_ranks() {
  uint32_t smaller = 0;
  for (const auto& place : pages_) {
    Page* page = place.load();
    if (page == nullptr) continue;
    for (size_t word = 0; word < kWords; ++word) {
      page->before[word] = smaller;
      smaller += bits_of(page->words[word].load());
    }
  }
}

}  // namespace divns
