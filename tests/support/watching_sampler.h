// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "divns/sampler.h"

namespace divns::testing {

// Passes everything on to another sampler and shows what it chose.
class WatchingSampler final : public Sampler {
 public:
  using See = std::function<void(const Batch&, const EmbeddingView&, const Negatives&)>;

  WatchingSampler(std::unique_ptr<Sampler> inner, See see)
      : inner_(std::move(inner)), see_(std::move(see)) {}

  void declare(Options& options) override { inner_->declare(options); }
  void start(const SamplerContext& context) override { inner_->start(context); }
  bool reads_single_hops() const override { return inner_->reads_single_hops(); }
  bool weights_negatives() const override { return inner_->weights_negatives(); }
  bool shares_negatives() const override { return inner_->shares_negatives(); }
  bool reads_epoch_vectors() const override { return inner_->reads_epoch_vectors(); }
  void begin_epoch(uint32_t epoch, const EmbeddingView& view) override {
    inner_->begin_epoch(epoch, view);
  }
  void propose(const Batch& batch, RowsToRead& rows) override { inner_->propose(batch, rows); }
  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    inner_->choose(batch, view, negatives);
    see_(batch, view, negatives);
  }
  void backward(const Batch& batch, const EmbeddingView& view, const Table& vector_gradients,
                ExtraGradients& extra) override {
    inner_->backward(batch, view, vector_gradients, extra);
  }
  bool has_auxiliary_loss() const override { return inner_->has_auxiliary_loss(); }
  double auxiliary_loss(const Batch& batch, const EmbeddingView& view, const Negatives& negatives,
                        ExtraGradients& extra) override {
    return inner_->auxiliary_loss(batch, view, negatives, extra);
  }
  std::vector<SamplerParameters> parameters() override { return inner_->parameters(); }
  void save(TensorWriter& out) const override { inner_->save(out); }
  void load(const TensorReader& in) override { inner_->load(in); }
  std::vector<std::pair<std::string, double>> diagnostics() const override {
    return inner_->diagnostics();
  }

 private:
  std::unique_ptr<Sampler> inner_;
  See see_;
};

}  // namespace divns::testing
