// SPDX-License-Identifier: Apache-2.0
#include "models/ease.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "data/transposed.h"
#include "divns/options.h"
#include "linalg/inverse.h"
#include "linalg/panel_matrix.h"

namespace divns {
namespace {

class Ease final : public FittedModel {
 public:
  void declare(Options& options) override {
    options.add("ease.l2", l2_, "weight of the L2 penalty on the item-item weights")
        .above(0)
        .tune_log(1, 10000);
    options.add("ease.max_gib", max_gib_, "largest size of the items x items matrix in GiB")
        .above(0);
  }

  FitReport fit(const FitContext& context) override {
    train_ = context.train;
    const double gib = PanelMatrix::gib(items());
    if (gib > max_gib_)
      fail(
          "EASE keeps a weight for each pair of items: {} items would take {:.1f} GiB, and "
          "ease.max_gib allows {:g}. Raise it if this machine has the memory, or keep fewer items "
          "(`divns data prepare --item-core`).",
          items(), gib, max_gib_);
    weights_ = PanelMatrix(items());
    fill_gram(context.executor);
    if (!invert_positive_definite(weights_, context.executor, context.on_progress))
      fail(
          "EASE could not invert its matrix with ease.l2 = {:g}: the matrix is singular to float32 "
          "precision. Raise ease.l2; 1 to 10000 is usual.",
          l2_);
    inverse_to_weights(context.executor);
    std::vector<VectorTable> panels;
    for (uint32_t p = 0; p < weights_.panels(); ++p) panels.push_back(weights_.panel(p));
    scores_.emplace(train_, std::move(panels));
    return {};
  }

  Scorer scorer() const override { return {.users = {}, .items = {}, .source = &*scores_}; }

  std::vector<float> item_weights() const override {
    std::vector<float> packed(size_t{items()} * items());
    for (uint32_t i = 0; i < items(); ++i)
      for (uint32_t p = 0; p < weights_.panels(); ++p)
        std::copy_n(weights_.row(i, p), weights_.width(p),
                    &packed[size_t{i} * items() + PanelMatrix::begin(p)]);
    return packed;
  }

 private:
  uint32_t items() const { return train_.item_count; }

  // X^T X + l2 I. The inversion reads row i up to the end of its diagonal tile. Counts are
  // integers, exact in float32.
  void fill_gram(const Executor& executor) {
    const Transposed by_item(train_);
    std::vector<std::vector<float>> counts(static_cast<size_t>(executor.threads()));
    for (auto& row : counts) row.resize(size_t{weights_.panels()} * PanelMatrix::kWidth);
    executor.for_chunks_with_worker(items(), 8, [&](int worker, size_t begin, size_t end) {
      std::vector<float>& row = counts[static_cast<size_t>(worker)];
      for (auto i = static_cast<uint32_t>(begin); i < end; ++i) {
        const uint32_t tiles = i / PanelMatrix::kWidth + 1;
        const uint32_t wanted = PanelMatrix::begin(tiles);
        for (const uint32_t user : by_item.view().row(i))
          for (const uint32_t j : train_.row(user)) {
            if (j >= wanted) break;
            ++row[j];
          }
        row[i] += static_cast<float>(l2_);
        for (uint32_t p = 0; p < tiles; ++p)
          std::copy_n(&row[PanelMatrix::begin(p)], weights_.width(p), weights_.row(i, p));
        std::fill_n(row.begin(), wanted, 0.0F);
      }
    });
  }

  // B_ij = -P_ij / P_jj, and 0 on the diagonal.
  void inverse_to_weights(const Executor& executor) {
    std::vector<float> scale(items());
    for (uint32_t j = 0; j < items(); ++j) scale[j] = -1 / weights_.at(j, j);
    executor.for_chunks(items(), 64, [&](size_t begin, size_t end) {
      for (auto i = static_cast<uint32_t>(begin); i < end; ++i) {
        for (uint32_t p = 0; p < weights_.panels(); ++p) {
          float* row = weights_.row(i, p);
          for (uint32_t j = 0; j < weights_.width(p); ++j)
            row[j] *= scale[PanelMatrix::begin(p) + j];
        }
        weights_.at(i, i) = 0;
      }
    });
  }

  double l2_ = 500;
  double max_gib_ = 8;
  Interactions train_;
  PanelMatrix weights_;  // B
  std::optional<ItemWeightScores> scores_;
};

}  // namespace

std::unique_ptr<FittedModel> make_ease() {
  return std::make_unique<Ease>();
}

}  // namespace divns
