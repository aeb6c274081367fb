// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace divns {

// A set of numbers below 10^9 as a bitmap in pages: 12 KiB for every 65536 numbers among which one
// occurs, 183 MiB at most. Many threads may insert at the same time.
class NumberSet {
 public:
  NumberSet() : pages_(kPages) {}
  ~NumberSet();
  NumberSet(const NumberSet&) = delete;
  NumberSet& operator=(const NumberSet&) = delete;

  void insert(std::span<const uint32_t> numbers);
  size_t memory() const {
    return pages_.size() * sizeof pages_[0] + page_count_.load() * sizeof(Page);
  }

  size_t size() const { return size_.load(); }
  // After the last insert, and before rank().
  void prepare_ranks();
  // How many smaller numbers the set has.
  uint32_t rank(uint32_t number) const {
    const Page& page = *pages_[number >> kPageBits].load(std::memory_order_relaxed);
    const size_t word = (number >> 6) & (kWords - 1);
    const uint64_t below = (uint64_t{1} << (number & 63)) - 1;
    return page.before[word] + bits_of(page.words[word].load(std::memory_order_relaxed) & below);
  }
  // body(number) in ascending order.
  template <class Body>
  void for_each(Body&& body) const {
    for (size_t p = 0; p < pages_.size(); ++p) {
      const Page* page = pages_[p].load();
      if (page == nullptr) continue;
      for (size_t word = 0; word < kWords; ++word)
        for (uint64_t rest = page->words[word].load(); rest != 0; rest &= rest - 1)
          body(static_cast<uint32_t>(p << kPageBits | word << 6 |
                                     static_cast<size_t>(std::countr_zero(rest))));
    }
  }

 private:
  static constexpr int kPageBits = 16;
  static constexpr size_t kPages = (size_t{1} << 30) >> kPageBits;
  static constexpr size_t kWords = (size_t{1} << kPageBits) / 64;
  struct Page {
    std::array<std::atomic<uint64_t>, kWords> words{};
    std::array<uint32_t, kWords> before{};  // numbers of the set below the word
  };

  // std::popcount is a call where the processor is not known to have the instruction.
  static uint32_t bits_of(uint64_t word) {
    word -= (word >> 1) & 0x5555555555555555;
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return static_cast<uint32_t>((word * 0x0101010101010101) >> 56);
  }
  Page& page_of(uint32_t number);

  std::vector<std::atomic<Page*>> pages_;
  std::atomic<size_t> page_count_ = 0;
  std::atomic<size_t> size_ = 0;
};

}  // namespace divns
