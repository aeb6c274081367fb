// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace divns {

// Lists of different lengths. They are filled in parallel, each with room for its largest size, and
// then moved together into compressed rows. The memory is reused.
class RaggedRows {
 public:
  // Row s gets room for each * (bounds[s + 1] - bounds[s]) ids.
  void start(std::span<const uint64_t> bounds, size_t each) {
    bounds_ = bounds;
    each_ = each;
    counts_.assign(bounds.size() - 1, 0);
    ids_.resize(std::max<size_t>(ids_.size(), each * (bounds.back() - bounds.front())));
  }
  std::span<uint32_t> room(size_t s) {
    return std::span(ids_).subspan(each_ * (bounds_[s] - bounds_[0]),
                                   each_ * (bounds_[s + 1] - bounds_[s]));
  }
  void set_count(size_t s, size_t count) { counts_[s] = count; }
  // room() must not be called after this.
  void finish() {
    offsets_.assign(1, 0);
    for (size_t s = 0; s < counts_.size(); ++s) {
      const std::span<uint32_t> from = room(s).first(counts_[s]);
      uint32_t* const to = ids_.data() + offsets_.back();
      if (from.data() != to) std::copy(from.begin(), from.end(), to);
      offsets_.push_back(offsets_.back() + counts_[s]);
    }
  }
  std::span<const uint64_t> offsets() const { return offsets_; }
  std::span<const uint32_t> ids() const { return std::span(ids_).first(offsets_.back()); }

 private:
  std::span<const uint64_t> bounds_;
  size_t each_ = 0;
  std::vector<uint32_t> ids_;
  std::vector<size_t> counts_;
  std::vector<uint64_t> offsets_;
};

}  // namespace divns
