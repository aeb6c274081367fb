// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns/diverse_choice.h"

#include <algorithm>
#include <limits>

#include "kernels/vectors.h"
#include "numerics/unit_rows.h"
#include "samplers/divns/ground_set.h"

namespace divns {
namespace {

constexpr size_t kChoicesPerChunk = 16;

}  // namespace

DiverseChoice::DiverseChoice(const DivnsOptions& options, const SamplerContext& context)
    : rule_(options.diverse),
      executor_(context.executor),
      draws_of_user_(context.seed, "divns.uniform"),
      seeds_(context.seed, "divns.exact"),
      selector_(options.dpp(), context.executor),
      workers_(static_cast<size_t>(context.executor.threads())) {}

void DiverseChoice::choose(const VectorTable& items, DppSets sets, uint32_t epoch,
                           uint32_t first_user, std::span<uint32_t> chosen,
                           std::span<uint32_t> counts) {
  if (rule_ == DiverseRule::kUniform)
    return choose_uniform(sets, epoch, first_user, chosen, counts);
  if (rule_ == DiverseRule::kOpposite) return choose_opposite(items, sets, chosen, counts);
  if (rule_ == DiverseRule::kVanilla) sets.against_offsets = {};
  // Sets are numbered from 0 in every call, so each call needs a seed of its own.
  Draws seed = seeds_.draws(first_user);
  selector_.select(items, sets, chosen, counts, seed.u64(), epoch);
}

template <class Body>
void DiverseChoice::for_each_set(const DppSets& sets, std::span<uint32_t> chosen,
                                 std::span<uint32_t> counts, Body&& body) {
  starts_.assign(1, 0);
  for (const uint32_t size : sets.sizes) starts_.push_back(starts_.back() + size);
  const auto row = [](std::span<const uint32_t> ids, std::span<const uint64_t> offsets, size_t s) {
    return ids.subspan(offsets[s], offsets[s + 1] - offsets[s]);
  };
  executor_.for_chunks_with_worker(
      sets.count(), kChoicesPerChunk, [&](int worker, size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s)
          counts[s] = static_cast<uint32_t>(body(workers_[static_cast<size_t>(worker)], s,
                                                 row(sets.candidates, sets.candidate_offsets, s),
                                                 row(sets.against, sets.against_offsets, s),
                                                 chosen.subspan(starts_[s], sets.sizes[s])));
      });
}

void DiverseChoice::choose_uniform(const DppSets& sets, uint32_t epoch, uint32_t first_user,
                                   std::span<uint32_t> chosen, std::span<uint32_t> counts) {
  for_each_set(sets, chosen, counts,
               [&](Worker& worker, size_t s, std::span<const uint32_t> candidates,
                   std::span<const uint32_t>, std::span<uint32_t> room) {
                 Draws draws = draws_of_user_.draws(epoch, first_user + static_cast<uint32_t>(s));
                 const size_t count = std::min(room.size(), candidates.size());
                 // The first `count` steps of a shuffle.
                 worker.items.assign(candidates.begin(), candidates.end());
                 for (size_t i = 0; i < count; ++i) {
                   std::swap(worker.items[i],
                             worker.items[i + draws.below64(worker.items.size() - i)]);
                   room[i] = worker.items[i];
                 }
                 return count;
               });
}

// Takes the items with the smallest minimal cosine to a hard negative.
void DiverseChoice::choose_opposite(const VectorTable& items, const DppSets& sets,
                                    std::span<uint32_t> chosen, std::span<uint32_t> counts) {
  unit_rows(items, executor_, unit_items_);
  for_each_set(sets, chosen, counts,
               [&](Worker& worker, size_t, std::span<const uint32_t> candidates,
                   std::span<const uint32_t> against, std::span<uint32_t> room) {
                 sort_distinct(against, worker.against);
                 worker.cosines.resize(candidates.size());
                 worker.ranked.clear();
                 for (const uint32_t item : candidates)
                   worker.ranked.emplace_back(std::numeric_limits<float>::infinity(), item);
                 for (const uint32_t hard : worker.against) {
                   gather_scores(unit_items_.row(hard), unit_items_.view(), candidates.data(),
                                 candidates.size(), worker.cosines.data());
                   for (size_t i = 0; i < candidates.size(); ++i)
                     worker.ranked[i].first = std::min(worker.ranked[i].first, worker.cosines[i]);
                 }
                 const size_t count = std::min(room.size(), candidates.size());
                 std::partial_sort(worker.ranked.begin(),
                                   worker.ranked.begin() + static_cast<ptrdiff_t>(count),
                                   worker.ranked.end());
                 for (size_t i = 0; i < count; ++i) room[i] = worker.ranked[i].second;
                 return count;
               });
}

}  // namespace divns
