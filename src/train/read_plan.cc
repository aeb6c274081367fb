// SPDX-License-Identifier: Apache-2.0
#include "train/read_plan.h"

#include <algorithm>

namespace divns {

// Goes backwards, so that the entry seen last is the next read. If a row has several entries in one
// batch, only the last of them refers to a later batch.
void ReadPlan::Side::scan(std::span<const uint32_t> keys, size_t batch_entries) {
  const auto batches = static_cast<uint32_t>((keys.size() + batch_entries - 1) / batch_entries);
  std::fill(next.begin(), next.end(), batches);
  after.resize(keys.size());
  for (uint32_t batch = batches; batch-- > 0;) {
    const size_t begin = batch * batch_entries;
    for (size_t e = std::min(begin + batch_entries, keys.size()); e-- > begin;) {
      after[e] = next[keys[e]];
      next[keys[e]] = batch;
    }
  }
}

void ReadPlan::Side::read(size_t first_entry, const Grouping& groups,
                          std::vector<uint32_t>& out) const {
  out.resize(groups.rows().size());
  for (size_t slot = 0; slot < out.size(); ++slot)
    out[slot] = after[first_entry + groups.entries(slot).back()];
}

void ReadPlan::make(const Batch& epoch, size_t batch_size, std::span<const uint32_t> negatives) {
  const size_t each = negatives.size() / epoch.size();
  items_each_ = 1 + each;
  item_keys_.resize(epoch.size() * items_each_);
  executor_.for_chunks(epoch.size(), batch_size, [&](size_t begin, size_t end) {
    const auto out = item_keys_.begin() + static_cast<ptrdiff_t>(begin * items_each_);
    std::ranges::copy(negatives.subspan(begin * each, (end - begin) * each),
                      std::ranges::copy(epoch.positives.subspan(begin, end - begin), out).out);
  });
  executor_.run(2, [&](int, size_t side) {
    if (side == 0)
      users_.scan(epoch.users, batch_size);
    else
      items_.scan(item_keys_, batch_size * items_each_);
  });
}

std::span<const uint32_t> ReadPlan::item_keys(const Batch& batch) const {
  return std::span(item_keys_).subspan(batch.first_place * items_each_, batch.size() * items_each_);
}

void ReadPlan::next_user_reads(const Batch& batch, const Grouping& groups,
                               std::vector<uint32_t>& out) const {
  users_.read(batch.first_place, groups, out);
}

void ReadPlan::next_item_reads(const Batch& batch, const Grouping& groups,
                               std::vector<uint32_t>& out) const {
  items_.read(batch.first_place * items_each_, groups, out);
}

}  // namespace divns
