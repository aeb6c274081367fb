// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "samplers/candidate_rows.h"
#include "samplers/sampler.h"

namespace divns {

// What is drawn is the negative: K items a row straight from the law, no vectors looked at.
class DirectSampler : public Sampler {
 public:
  DirectSampler(std::string_view purpose, const CandidateOptions& options)
      : purpose_(purpose), options_(options) {}

  void start(const SamplerContext& context) override;
  bool draws_ahead() const override { return true; }
  void propose(const Batch& batch, RowsToRead& rows) override;
  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override;

 protected:
  std::string_view purpose_;
  CandidateOptions options_;

 private:
  std::optional<CandidateRows> rows_;
  size_t per_row_ = 1;
  std::vector<uint32_t> drawn_;
};

}  // namespace divns
