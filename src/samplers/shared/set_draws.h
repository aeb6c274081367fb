// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "divns/random.h"
#include "divns/sampler.h"
#include "numerics/alias_table.h"

namespace divns {

enum class SetLaw { kUniform, kPopularity };

struct SetOptions {
  int size = 1024;  // M
  SetLaw law = SetLaw::kUniform;
  double exponent = 0.75;
  double correction = 1;

  // As `<sampler>.size` and so on.
  void declare(Options& options, const std::string& sampler);
  void declare_size(Options& options, const std::string& sampler);
};

// Draws one set of M items per batch: uniformly without replacement (all items, if there are fewer
// than M), or with replacement in proportion to count^exponent, where count is the number of
// training pairs of an item.
class SetDraws {
 public:
  SetDraws(const SamplerContext& context, const SetOptions& options, std::string_view purpose);

  // Draws are counted by (epoch, place of the batch).
  void draw(const Batch& batch, std::vector<uint32_t>& out) const;
  // -correction * log q_i, up to a constant, for the chance q_i of an item. Empty for equal
  // chances.
  void log_weights(std::span<const uint32_t> items, std::vector<float>& out) const;
  // Whether items have different weights.
  static bool weights(const SetOptions& options) {
    return options.law == SetLaw::kPopularity && options.exponent > 0 && options.correction > 0;
  }

 private:
  SetOptions options_;
  Random random_;
  uint32_t item_count_;
  std::vector<uint32_t> counts_;
  std::optional<AliasTable> table_;
};

// Base of the samplers whose negatives are one drawn set per batch.
class SetSampler : public Sampler {
 public:
  explicit SetSampler(std::string_view name) : name_(name) {}

  void declare(Options& options) override { options_.declare(options, std::string(name_)); }
  void start(const SamplerContext& context) override { draws_.emplace(context, options_, name_); }
  bool shares_negatives() const override { return true; }
  bool weights_negatives() const override { return SetDraws::weights(options_); }
  void propose(const Batch& batch, RowsToRead& rows) override;
  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override;

 protected:
  std::string_view name_;
  SetOptions options_;
  std::optional<SetDraws> draws_;
  std::vector<uint32_t> items_;  // of the batch
};

}  // namespace divns
