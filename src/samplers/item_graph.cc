// SPDX-License-Identifier: Apache-2.0
#include "samplers/item_graph.h"

#include <algorithm>
#include <cmath>

#include "data/transposed.h"

namespace divns {
namespace {

constexpr size_t kGraphItemsPerChunk = 64;

struct Weighted {
  uint32_t item;
  float weight;
};

// Counts how often items are named, and which.
class NamedItems {
 public:
  explicit NamedItems(size_t items) : counts_(items, 0) {}

  void name(uint32_t item) {
    if (counts_[item]++ == 0) named_.push_back(item);
  }
  uint32_t count(uint32_t item) const { return counts_[item]; }
  std::span<const uint32_t> named() const { return named_; }
  void clear() {
    for (const uint32_t item : named_) counts_[item] = 0;
    named_.clear();
  }

 private:
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> named_;
};

// The `most` heaviest, ties to the lower id.
void keep_heaviest(std::vector<Weighted>& list, size_t most) {
  if (list.size() <= most) return;
  std::nth_element(list.begin(), list.begin() + static_cast<ptrdiff_t>(most), list.end(),
                   [](const Weighted& a, const Weighted& b) {
                     return a.weight != b.weight ? a.weight > b.weight : a.item < b.item;
                   });
  list.resize(most);
}

// Calls fill(names, item, list) for every item and joins the lists.
template <class Fill>
ItemNeighbours collect(size_t items, const Executor& executor, Fill&& fill) {
  std::vector<std::vector<Weighted>> lists(items);
  std::vector<NamedItems> names(static_cast<size_t>(executor.threads()), NamedItems(items));
  executor.for_chunks_with_worker(items, kGraphItemsPerChunk,
                                  [&](int worker, size_t begin, size_t end) {
                                    NamedItems& named = names[static_cast<size_t>(worker)];
                                    for (size_t i = begin; i < end; ++i) {
                                      fill(named, static_cast<uint32_t>(i), lists[i]);
                                      named.clear();
                                    }
                                  });
  ItemNeighbours result;
  result.offsets.push_back(0);
  for (const std::vector<Weighted>& list : lists) {
    for (const Weighted& entry : list) {
      result.items.push_back(entry.item);
      result.weights.push_back(entry.weight);
    }
    result.offsets.push_back(result.items.size());
  }
  return result;
}

}  // namespace

ItemNeighbours nearest_items(const Interactions& train, size_t most, size_t longest,
                             const Executor& executor) {
  const Transposed by_item(train);
  const Interactions users_of = by_item.view();
  return collect(
      train.item_count, executor,
      [&](NamedItems& names, uint32_t item, std::vector<Weighted>& list) {
        const auto users = users_of.row(item);
        for (const uint32_t user : users) {
          if (train.row(user).size() > longest) continue;
          for (const uint32_t other : train.row(user))
            if (other != item) names.name(other);
        }
        for (const uint32_t other : names.named()) {
          const double both =
              static_cast<double>(users.size()) * static_cast<double>(users_of.row(other).size());
          list.push_back({other, static_cast<float>(names.count(other) / std::sqrt(both))});
        }
        keep_heaviest(list, most);
        std::sort(list.begin(), list.end(),
                  [](const Weighted& a, const Weighted& b) { return a.item < b.item; });
      });
}

ItemNeighbours overlapping_items(const ItemNeighbours& graph, size_t most, double largest,
                                 bool skip_neighbours, const Executor& executor) {
  const auto items = static_cast<uint32_t>(graph.offsets.size() - 1);
  const Transposed by_neighbour(Interactions{graph.offsets, graph.items, items});
  const Interactions listed_by = by_neighbour.view();
  return collect(
      items, executor, [&](NamedItems& names, uint32_t item, std::vector<Weighted>& list) {
        const auto own = graph.row(item);
        for (const uint32_t neighbour : own)
          for (const uint32_t other : listed_by.row(neighbour))
            if (other != item) names.name(other);
        for (const uint32_t other : names.named()) {
          if (skip_neighbours && std::binary_search(own.begin(), own.end(), other)) continue;
          const double shared = names.count(other);
          const double overlap =
              shared / (static_cast<double>(own.size() + graph.row(other).size()) - shared);
          if (overlap <= largest) list.push_back({other, static_cast<float>(overlap)});
        }
        keep_heaviest(list, most);
        std::sort(list.begin(), list.end(), [](const Weighted& a, const Weighted& b) {
          return a.weight != b.weight ? a.weight < b.weight : a.item < b.item;
        });
      });
}

}  // namespace divns
