// SPDX-License-Identifier: Apache-2.0
// The three users and six items of the worked examples, and a way to ask a sampler about them.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "divns/options.h"
#include "divns/sampler.h"
#include "divns/table.h"
#include "support/interactions.h"
#include "support/six_items.h"

namespace divns::testing {

using OptionValues = std::vector<std::pair<std::string, std::string>>;

inline Table table_of(const std::vector<std::vector<float>>& rows) {
  Table table(static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(rows[0].size()));
  for (size_t i = 0; i < rows.size(); ++i) std::copy(rows[i].begin(), rows[i].end(), table.row(i));
  return table;
}

// Vectors of one hop, or of several hops with their mean.
struct ToyVectors {
  std::vector<Table> users;  // by hop
  std::vector<Table> items;
  Table pooled_users;
  Table pooled_items;
  std::vector<VectorTable> user_views;
  std::vector<VectorTable> item_views;
  std::vector<float> pool_weights;

  ToyVectors(std::vector<Table> user_hops, std::vector<Table> item_hops)
      : users(std::move(user_hops)),
        items(std::move(item_hops)),
        pooled_users(mean(users)),
        pooled_items(mean(items)),
        pool_weights(users.size(), 1.0F / static_cast<float>(users.size())) {
    for (const Table& table : users) user_views.push_back(table.view());
    for (const Table& table : items) item_views.push_back(table.view());
  }
  EmbeddingView view() const {
    return {pooled_users.view(), pooled_items.view(), user_views, item_views, pool_weights};
  }
  static Table mean(const std::vector<Table>& hops) {
    Table sum(hops[0].rows(), hops[0].dim());
    for (const Table& hop : hops)
      for (size_t i = 0; i < sum.size(); ++i)
        sum.data()[i] += hop.data()[i] / static_cast<float>(hops.size());
    return sum;
  }
};

inline ToyVectors toy_vectors() {
  SixItems six;
  std::vector<Table> users;
  std::vector<Table> items;
  users.push_back(std::move(six.users));
  items.push_back(std::move(six.items));
  return {std::move(users), std::move(items)};
}

inline OwnedInteractions toy_train() {
  return SixItems().train;
}

inline void set_options(Sampler& sampler, const OptionValues& values) {
  Options options;
  sampler.declare(options);
  for (const auto& [name, value] : values) options.set(name, value, OptionSource::kSet);
}

// What a sampler makes of `rows` copies of one training pair.
inline Negatives ask(std::unique_ptr<Sampler> sampler, const OptionValues& values,
                     const OwnedInteractions& train, const ToyVectors& vectors, uint32_t user,
                     uint32_t positive, size_t rows = 1, int negatives = 1,
                     const SideInputs* inputs = nullptr, uint32_t epoch = 0) {
  const Executor executor(2);
  set_options(*sampler, values);
  sampler->start({.train = train.view(),
                  .executor = executor,
                  .seed = 5,
                  .dim = vectors.pooled_users.dim(),
                  .hops = static_cast<int>(vectors.users.size()),
                  .negatives = negatives,
                  .batch_size = rows,
                  .inputs = inputs});
  const std::vector<uint32_t> users(rows, user);
  const std::vector<uint32_t> positives(rows, positive);
  const auto owned = train.view().row(user);
  const auto at = std::find(owned.begin(), owned.end(), positive) - owned.begin();
  const std::vector<uint64_t> pairs(rows, train.offsets[user] + static_cast<uint64_t>(at));
  const Batch batch{.epoch = epoch, .users = users, .positives = positives, .pairs = pairs};
  Negatives out;
  RowsToRead to_read;
  sampler->begin_epoch(epoch, vectors.view());
  sampler->propose(batch, to_read);
  sampler->choose(batch, vectors.view(), out);
  return out;
}

// Sum over the cells of (found - expected)^2 / expected; cells that must be empty are.
inline double chi_square(const std::vector<double>& counts, const std::vector<double>& law) {
  double total = 0;
  double sum = 0;
  for (const double count : counts) total += count;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double expected = total * law[i];
    if (expected == 0 && counts[i] != 0) return 1e300;
    if (expected > 0) sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return sum;
}

inline std::vector<double> item_counts(const Negatives& negatives, size_t items) {
  std::vector<double> counts(items, 0);
  for (const Term& term : negatives.terms) ++counts.at(term.item);
  return counts;
}

}  // namespace divns::testing
