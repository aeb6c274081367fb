// SPDX-License-Identifier: Apache-2.0
#include "samplers/candidates.h"

#include <algorithm>
#include <cmath>

#include "divns/options.h"

namespace divns {
namespace {

// Number of draws from the alias table before the pass over the items. For a user whose items have
// nine tenths of the weight, one draw in 800 needs the pass.
constexpr int kTries = 64;
// Longer lists without replacement are drawn by rank, because the search for repeats is quadratic.
constexpr size_t kShortList = 48;

}  // namespace

void CandidateOptions::declare(Options& options, const std::string& sampler) {
  options.add(sampler + ".candidates", candidates, "number of candidates per negative (n)")
      .range(1, 100000)
      .tune_log(2, most_tuned);
  options.add(sampler + ".replacement", replacement, "draw candidates with replacement");
  declare_source(options, sampler);
}

void CandidateOptions::declare_source(Options& options, const std::string& sampler) {
  options.add_choice(
      sampler + ".law", law,
      {{"uniform", CandidateLaw::kUniform},
       {"popularity", CandidateLaw::kPopularity},
       {"log_popularity", CandidateLaw::kLogPopularity}},
      "distribution of candidates: uniform, popularity (count^exponent) or log_popularity "
      "(log(1 + count)), where count is the number of training pairs of an item");
  options
      .add(sampler + ".exponent", exponent,
           "exponent of an item's training count when law = popularity")
      .range(0, 10);
  options.add(sampler + ".reject_positives", reject_positives,
              "reject items that the user has a training pair with");
}

CandidateDrawer::CandidateDrawer(const Interactions& train, const CandidateOptions& options)
    : train_(train), owned_(train), options_(options) {
  if (options.law == CandidateLaw::kUniform) return;
  const std::vector<uint32_t> counts = item_counts(train);
  weights_.assign(counts.begin(), counts.end());
  bool any = false;
  for (double& weight : weights_) {
    if (weight == 0) continue;
    any = true;
    weight = options.law == CandidateLaw::kPopularity ? std::pow(weight, options.exponent)
                                                      : std::log1p(weight);
  }
  if (any) table_.emplace(weights_);
}

uint32_t CandidateDrawer::missing_item(uint32_t user, uint32_t rank) const {
  // Before the j-th owned item (from 0) there are owned[j] - j missing ones. The answer is rank
  // plus the number of owned items with owned[j] - j <= rank.
  const std::span<const uint32_t> owned = train_.row(user);
  size_t before = 0;
  // The number of rounds depends on the length only, and the rounds have no branches.
  for (size_t length = owned.size(); length > 0;) {
    const size_t half = (length + 1) / 2;
    const size_t last = before + half - 1;
    before = owned[last] - static_cast<uint32_t>(last) <= rank ? before + half : before;
    length -= half;
  }
  return rank + static_cast<uint32_t>(before);
}

uint32_t CandidateDrawer::draw_missing(Draws& draws, uint32_t user) const {
  if (2 * train_.row(user).size() <= train_.item_count)
    for (int i = 0; i < kTries; ++i)
      if (const uint32_t item = draws.below(train_.item_count); !owned_.owns(user, item))
        return item;
  return missing_item(user, draws.below(available(user)));
}

bool CandidateDrawer::may_draw(uint32_t user, uint32_t item,
                               std::span<const uint32_t> taken) const {
  return !(options_.reject_positives && owned_.owns(user, item)) &&
         std::find(taken.begin(), taken.end(), item) == taken.end();
}

std::optional<uint32_t> CandidateDrawer::draw_weighted(Draws& draws, uint32_t user,
                                                       std::span<const uint32_t> taken) const {
  if (!table_) return std::nullopt;
  for (int i = 0; i < kTries; ++i)
    if (const uint32_t item = table_->draw(draws); may_draw(user, item, taken)) return item;
  return walk(draws, user, taken);
}

// Draws from the distribution restricted to the items that may be drawn, by summing its weights.
// Empty if their weights are all zero.
std::optional<uint32_t> CandidateDrawer::walk(Draws& draws, uint32_t user,
                                              std::span<const uint32_t> taken) const {
  double total = 0;
  for (uint32_t i = 0; i < weights_.size(); ++i)
    if (weights_[i] > 0 && may_draw(user, i, taken)) total += weights_[i];
  double left = draws.uniform() * total;
  std::optional<uint32_t> last;
  for (uint32_t i = 0; i < weights_.size(); ++i) {
    if (weights_[i] == 0 || !may_draw(user, i, taken)) continue;
    last = i;
    left -= weights_[i];
    if (left < 0) break;
  }
  return last;
}

uint32_t CandidateDrawer::draw(Draws& draws, uint32_t user) const {
  uint32_t item = 0;
  draw_with_replacement(draws, user, {&item, 1});
  return item;
}

void CandidateDrawer::draw_with_replacement(Draws& draws, uint32_t user,
                                            std::span<uint32_t> out) const {
  const bool weighted = options_.law != CandidateLaw::kUniform;
  for (uint32_t& item : out) {
    // For a user who has all items with nonzero weight, the draw is uniform over the others.
    const auto by_weight = weighted ? draw_weighted(draws, user, {}) : std::nullopt;
    if (by_weight)
      item = *by_weight;
    else
      item = options_.reject_positives ? draw_missing(draws, user) : draws.below(train_.item_count);
  }
}

size_t CandidateDrawer::draw_without_replacement(Draws& draws, uint32_t user,
                                                 std::span<uint32_t> out) const {
  if (options_.law != CandidateLaw::kUniform) {
    size_t count = 0;
    while (count < out.size()) {
      const auto item = draw_weighted(draws, user, out.first(count));
      if (!item) break;
      out[count++] = *item;
    }
    if (count > 0 || out.empty()) return count;
  }
  const uint32_t n = options_.reject_positives ? available(user) : train_.item_count;
  if (options_.reject_positives && out.size() <= kShortList && 4 * out.size() <= n) {
    for (auto end = out.begin(); end != out.end(); ++end) {
      do {
        *end = draw_missing(draws, user);
      } while (std::find(out.begin(), end, *end) != end);
    }
    return out.size();
  }
  const std::span<uint32_t> ranks = out.first(std::min<size_t>(out.size(), n));
  sample_without_replacement(draws, n, ranks);
  if (options_.reject_positives)
    for (uint32_t& rank : ranks) rank = missing_item(user, rank);
  return ranks.size();
}

size_t CandidateDrawer::draw_list(Draws& draws, uint32_t user, std::span<uint32_t> out) const {
  if (!options_.replacement) return draw_without_replacement(draws, user, out);
  draw_with_replacement(draws, user, out);
  return out.size();
}

double CandidateDrawer::log_weight(uint32_t item) const {
  return weights_.empty() || weights_[item] == 0 ? 0 : std::log(weights_[item]);
}

}  // namespace divns
