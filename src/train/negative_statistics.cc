// SPDX-License-Identifier: Apache-2.0
#include "train/negative_statistics.h"

#include <algorithm>

#include "divns/random.h"

namespace divns {
namespace {

std::vector<uint32_t> sample_of_users(const Interactions& train, uint32_t sample) {
  std::vector<uint32_t> users;
  for (uint32_t user = 0; user < train.users(); ++user)
    if (!train.row(user).empty() && train.row(user).size() < train.item_count)
      users.push_back(user);
  if (users.size() <= sample) return users;
  Draws draws = Random(0, "diagnostics").draws();
  shuffle(draws, std::span(users));
  users.resize(sample);
  return users;
}

std::optional<double> mean_over_sets(const SetDiversity& sets) {
  double sum = 0;
  double count = 0;
  for (uint32_t set = 0; set < sets.sets(); ++set)
    if (const auto value = sets.of(set)) {
      sum += *value;
      ++count;
    }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace

std::vector<std::pair<std::string, double>> NegativeReport::named() const {
  std::vector<std::pair<std::string, double>> all;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) all.emplace_back(name, *value);
  };
  add("distinct", distinct);
  add("popularity", popularity);
  add("diversity", diversity);
  add("item_diversity", item_diversity);
  add("false_negatives", false_negatives);
  add("valid_positives", valid_positives);
  return all;
}

NegativeStatistics::NegativeStatistics(const Interactions& train, uint32_t sample, uint32_t dim)
    : train_(train),
      place_of_user_(train.users(), kNotWatched),
      item_pairs_(item_counts(train)),
      diversity_(std::min(sample, train.users()), dim),
      item_diversity_(diversity_.sets(), dim) {
  uint32_t place = 0;
  for (const uint32_t user : sample_of_users(train, sample)) place_of_user_[user] = place++;
}

void NegativeStatistics::add(const Batch& batch, const Negatives& negatives,
                             const EmbeddingView& view, const ScoredBatch& scored) {
  for (size_t b = 0; b < batch.size(); ++b) {
    const uint32_t place = place_of_user_[batch.users[b]];
    if (place == kNotWatched) continue;
    for (size_t k = 0; k < negatives.per_row; ++k) {
      const size_t number = b * negatives.per_row + k;
      diversity_.add(place, scored.negative(negatives, number));
      if (!negatives.free_vectors)
        add_items(
            batch.users[b], batch.positives[b],
            std::span(negatives.terms).subspan(number * negatives.terms_each, negatives.terms_each),
            view);
    }
  }
}

void NegativeStatistics::add(const Batch& batch, std::span<const uint32_t> items,
                             const EmbeddingView& view) {
  const size_t per_row = items.size() / batch.size();
  for (size_t b = 0; b < batch.size(); ++b) {
    const uint32_t place = place_of_user_[batch.users[b]];
    if (place == kNotWatched) continue;
    for (const uint32_t item : items.subspan(b * per_row, per_row)) {
      diversity_.add(place, view.items.row(item));
      const Term term{.item = item};
      add_items(batch.users[b], batch.positives[b], {&term, 1}, view);
    }
  }
}

void NegativeStatistics::add(const Batch& batch, const SharedNegatives& shared,
                             const EmbeddingView& view) {
  constexpr size_t kPerRow = 8;
  const size_t count = shared.items.size();
  for (size_t b = 0; b < batch.size(); ++b) {
    const uint32_t place = place_of_user_[batch.users[b]];
    if (place == kNotWatched) continue;
    const std::span<const uint32_t> owned = train_.row(batch.users[b]);
    for (size_t k = 0; k < std::min(kPerRow, count); ++k) {
      const Term term{.item = shared.items[(b * kPerRow + k) % count]};
      if (std::binary_search(owned.begin(), owned.end(), term.item)) continue;
      diversity_.add(place, view.items.row(term.item));
      add_items(batch.users[b], batch.positives[b], {&term, 1}, view);
    }
  }
}

void NegativeStatistics::add_items(uint32_t user, uint32_t positive, std::span<const Term> terms,
                                   const EmbeddingView& view) {
  const uint32_t place = place_of_user_[user];
  const size_t before = drawn_.size();
  for (const Term& term : terms) {
    if (term.weight == 0 || term.item == positive) continue;
    const double weight =
        double{term.weight} *
        (term.hop == kEveryHop ? 1.0 : double{view.pool_weights[static_cast<size_t>(term.hop)]});
    weight_ += weight;
    popularity_ += weight * item_pairs_[term.item];
    if (known_.likes && known_.likes(user, term.item)) false_negatives_ += weight;
    if (known_.valid) {
      const auto liked = known_.valid->row(user);
      if (std::binary_search(liked.begin(), liked.end(), term.item)) valid_positives_ += weight;
    }
    // An item that occurs at several hops counts once.
    const std::pair drawn(place, term.item);
    if (std::find(drawn_.begin() + static_cast<ptrdiff_t>(before), drawn_.end(), drawn) ==
        drawn_.end()) {
      drawn_.push_back(drawn);
      item_diversity_.add(place, view.items.row(term.item));
    }
  }
}

std::optional<NegativeReport> NegativeStatistics::end_epoch() {
  if (diversity_.sets() == 0) return std::nullopt;
  NegativeReport report;
  report.diversity = mean_over_sets(diversity_);
  report.item_diversity = mean_over_sets(item_diversity_);
  if (weight_ > 0) {
    report.popularity = popularity_ / weight_;
    if (known_.likes) report.false_negatives = false_negatives_ / weight_;
    if (known_.valid) report.valid_positives = valid_positives_ / weight_;
    std::sort(drawn_.begin(), drawn_.end());
    double sum = 0;
    double users = 0;
    for (auto first = drawn_.begin(); first != drawn_.end();) {
      const auto last = std::find_if(first, drawn_.end(),
                                     [&](const auto& each) { return each.first != first->first; });
      const auto count = static_cast<double>(last - first);
      double distinct = 1;
      for (auto at = first + 1; at < last; ++at) distinct += *at == *(at - 1) ? 0 : 1;
      sum += distinct / count;
      ++users;
      first = last;
    }
    report.distinct = sum / users;
  }
  diversity_.clear();
  item_diversity_.clear();
  drawn_.clear();
  weight_ = popularity_ = false_negatives_ = valid_positives_ = 0;
  return report;
}

}  // namespace divns
