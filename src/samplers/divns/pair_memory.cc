// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns/pair_memory.h"

#include <algorithm>

#include "base/check.h"
#include "divns/sampler.h"

namespace divns {

void PairMemory::start(const Interactions& train, size_t lists, size_t cache_ratio) {
  train_ = train;
  lists_ = lists;
  cache_ratio_ = cache_ratio;
  hard.assign(train.pairs() * lists, kNoItem);
  partners.assign(train.pairs() * lists, kNoItem);
  cache.assign(train.pairs() * lists * cache_ratio, kNoItem);
}

void PairMemory::forget_choices() {
  for (std::vector<uint32_t>* values : {&hard, &positions, &cache})
    std::fill(values->begin(), values->end(), kNoItem);
}

void PairMemory::show(uint32_t user, size_t positives, bool with_partners,
                      UserSnapshot& snapshot) const {
  const size_t first = train_.offsets[user] * lists_;
  const auto add = [&](const char* role, const std::vector<uint32_t>& values, size_t each) {
    if (values.empty()) return;
    std::vector<uint32_t>& items =
        snapshot.items.emplace_back(role, std::vector<uint32_t>()).second;
    for (size_t p = 0; p < positives; ++p)
      for (size_t i = 0; i < each; ++i) items.push_back(values[(first + p * lists_) * each + i]);
  };
  add("cache", cache, cache_ratio_);
  add("hard", hard, 1);
  if (with_partners) add("diverse", partners, 1);
}

void PairMemory::save(TensorWriter& out, bool with_hard) const {
  out.add("cache", cache);
  if (with_hard) out.add("hard", hard);
  if (!positions.empty()) out.add("positions", positions);
}

void PairMemory::load(const TensorReader& in, bool with_hard) {
  read(in, "cache", cache);
  if (with_hard) read(in, "hard", hard);
  if (!positions.empty()) read(in, "positions", positions);
}

void PairMemory::read(const TensorReader& in, const std::string& name,
                      std::vector<uint32_t>& out) const {
  in.read(name, std::span(out));
  for (const uint32_t item : out)
    if (item != kNoItem && item >= train_.item_count)
      fail("{}: '{}' names item {}, but there are only {} items.", in.file_name(), name, item,
           train_.item_count);
}

}  // namespace divns
