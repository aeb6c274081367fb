// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "divns/sampler.h"
#include "samplers/candidate_rows.h"

namespace divns {

// Base of the samplers whose draws are the negatives: K items per row, independent of the vectors.
class DirectSampler : public Sampler {
 public:
  DirectSampler(std::string_view purpose, const CandidateOptions& options)
      : purpose_(purpose), options_(options) {}

  void start(const SamplerContext& context) override;
  bool draws_ahead() const override { return true; }
  bool fits_blocks() const override { return true; }
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
