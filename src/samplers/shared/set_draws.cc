// SPDX-License-Identifier: Apache-2.0
#include "samplers/shared/set_draws.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "divns/options.h"

namespace divns {

void SetOptions::declare_size(Options& options, const std::string& sampler) {
  options.add(sampler + ".size", size, "number of items drawn per batch (M)")
      .range(1, 65536)
      .tune_values({"256", "1024", "4096"});
}

void SetOptions::declare(Options& options, const std::string& sampler) {
  declare_size(options, sampler);
  options.add_choice(
      sampler + ".law", law, {{"uniform", SetLaw::kUniform}, {"popularity", SetLaw::kPopularity}},
      "distribution of items: uniform, without replacement, or popularity (count^exponent), with "
      "replacement, where count is the number of training pairs of an item");
  options
      .add(sampler + ".exponent", exponent,
           "exponent of an item's training count when law = popularity")
      .range(0, 10)
      .tune_linear(0, 1);
  options
      .add(sampler + ".correction", correction,
           "exponent of the weight 1 / chance that corrects for unequal chances: 0 for no "
           "correction, 1 for an estimate over all items")
      .range(0, 1)
      .tune_linear(0, 1);
}

SetDraws::SetDraws(const SamplerContext& context, const SetOptions& options,
                   std::string_view purpose)
    : options_(options),
      random_(context.seed, purpose),
      item_count_(context.train.item_count),
      counts_(item_counts(context.train)) {
  if (options.law == SetLaw::kUniform) return;
  std::vector<double> chances(item_count_);
  for (uint32_t i = 0; i < item_count_; ++i)
    chances[i] = counts_[i] == 0 ? 0 : std::pow(counts_[i], options.exponent);
  table_.emplace(chances);
}

void SetDraws::draw(const Batch& batch, std::vector<uint32_t>& out) const {
  Draws draws = random_.draws(batch.epoch, batch.first_place);
  const auto size = static_cast<uint32_t>(options_.size);
  if (table_) {
    out.resize(size);
    for (uint32_t& item : out) item = table_->draw(draws);
    return;
  }
  out.resize(std::min(size, item_count_));
  if (out.size() == item_count_)
    std::iota(out.begin(), out.end(), 0U);
  else
    sample_without_replacement(draws, item_count_, out);
}

void SetDraws::log_weights(std::span<const uint32_t> items, std::vector<float>& out) const {
  out.clear();
  if (!weights(options_)) return;
  for (const uint32_t item : items)
    out.push_back(
        static_cast<float>(-options_.correction * options_.exponent * std::log(counts_[item])));
}

void SetSampler::propose(const Batch& batch, RowsToRead& rows) {
  draws_->draw(batch, items_);
  rows.items = items_;
}

void SetSampler::choose(const Batch& /*batch*/, const EmbeddingView& /*view*/,
                        Negatives& negatives) {
  negatives.reset(0, 1, 1);
  negatives.shared.items = items_;
  draws_->log_weights(items_, negatives.shared.log_weights);
}

}  // namespace divns
