// SPDX-License-Identifier: Apache-2.0
#include "samplers/shared/in_batch.h"

#include <cmath>

#include "divns/options.h"
#include "samplers/shared/set_draws.h"

namespace divns {
namespace {

void declare_correction(Options& options, const char* name, double& correction) {
  options
      .add(name, correction,
           "exponent of the weight 1 / chance that corrects for popular items being positives more "
           "often: 0 for no correction, 1 for an estimate over all items")
      .range(0, 1)
      .tune_linear(0, 1);
}

class InBatch final : public Sampler {
 public:
  void declare(Options& options) override {
    declare_correction(options, "in_batch.correction", correction_);
  }

  void start(const SamplerContext& context) override { counts_ = item_counts(context.train); }
  bool shares_negatives() const override { return true; }
  bool weights_negatives() const override { return correction_ > 0; }

  void propose(const Batch& batch, RowsToRead& rows) override {
    rows.items.assign(batch.positives.begin(), batch.positives.end());
  }

  void choose(const Batch& batch, const EmbeddingView& /*view*/, Negatives& negatives) override {
    negatives.reset(0, 1, 1);
    negatives.shared.items.assign(batch.positives.begin(), batch.positives.end());
    if (correction_ == 0) return;
    for (const uint32_t item : batch.positives)
      negatives.shared.log_weights.push_back(
          static_cast<float>(-correction_ * std::log(counts_[item])));
  }

 private:
  double correction_ = 1;
  std::vector<uint32_t> counts_;
};

class Mixed final : public Sampler {
 public:
  void declare(Options& options) override {
    options_.declare_size(options, "mixed");
    declare_correction(options, "mixed.correction", options_.correction);
  }

  void start(const SamplerContext& context) override {
    draws_.emplace(context, options_, "mixed");
    counts_ = item_counts(context.train);
    pairs_ = static_cast<double>(context.train.pairs());
  }
  bool shares_negatives() const override { return true; }
  bool weights_negatives() const override { return options_.correction > 0; }

  void propose(const Batch& batch, RowsToRead& rows) override {
    draws_->draw(batch, items_);
    uniform_ = items_.size();
    items_.insert(items_.end(), batch.positives.begin(), batch.positives.end());
    rows.items = items_;
  }

  void choose(const Batch& batch, const EmbeddingView& /*view*/, Negatives& negatives) override {
    negatives.reset(0, 1, 1);
    negatives.shared.items = items_;
    if (options_.correction == 0) return;
    // Expected number of times that an item is in the set.
    const double by_pair = static_cast<double>(batch.size()) / pairs_;
    const double uniform = static_cast<double>(uniform_) / static_cast<double>(counts_.size());
    for (const uint32_t item : items_)
      negatives.shared.log_weights.push_back(
          static_cast<float>(-options_.correction * std::log(uniform + by_pair * counts_[item])));
  }

 private:
  SetOptions options_;
  std::optional<SetDraws> draws_;
  std::vector<uint32_t> counts_;
  double pairs_ = 0;
  std::vector<uint32_t> items_;  // of the batch: the uniform ones first
  size_t uniform_ = 0;
};

}  // namespace

std::unique_ptr<Sampler> make_in_batch() {
  return std::make_unique<InBatch>();
}

std::unique_ptr<Sampler> make_mixed() {
  return std::make_unique<Mixed>();
}

}  // namespace divns
