// SPDX-License-Identifier: Apache-2.0
#include "losses/bsl.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "divns/options.h"
#include "losses/block.h"
#include "losses/log_sum_exp.h"
#include "losses/temperature.h"

namespace divns {
namespace {

enum class BslMode { kReweight, kMulti };

// The positives of each user of a call. Per row r: m_r = log mean exp(s_p'/tau) over the rows of
// the row's user, and tau times the derivative of sum_r weight_r m_r by the positive score of row
// r.
struct PooledPositives {
  std::vector<uint32_t> order;  // rows by user, those of a user in the order of the call
  std::vector<double> log_mean;
  std::vector<double> slope;

  void pool(const LossInput& in, double temperature) {
    order.resize(in.rows());
    log_mean.resize(in.rows());
    slope.resize(in.rows());
    for (uint32_t r = 0; r < order.size(); ++r) order[r] = r;
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return in.users[a] != in.users[b] ? in.users[a] < in.users[b] : a < b;
    });
    for (size_t begin = 0; begin < order.size();) {
      size_t end = begin;
      double top = -std::numeric_limits<double>::infinity();
      for (; end < order.size() && in.users[order[end]] == in.users[order[begin]]; ++end)
        top = std::max(top, double{in.positive_scores[order[end]]});
      pool_user(in, temperature, std::span(order).subspan(begin, end - begin), top);
      begin = end;
    }
  }

 private:
  void pool_user(const LossInput& in, double temperature, std::span<const uint32_t> rows,
                 double top) {
    const auto count = static_cast<double>(rows.size());
    double sum = 0;
    double weights = 0;
    for (const uint32_t r : rows) {
      slope[r] = std::exp((double{in.positive_scores[r]} - top) / temperature);
      sum += slope[r];
      weights += in.row_weights.empty() ? 1.0 : double{in.row_weights[r]};
    }
    for (const uint32_t r : rows) {
      log_mean[r] = top / temperature + std::log(sum / count);
      slope[r] *= weights / sum;
    }
  }
};

class Bsl final : public Loss {
 public:
  void declare(Options& options) override {
    options.add_choice("bsl.mode", mode_,
                       {{"reweight", BslMode::kReweight}, {"multi", BslMode::kMulti}},
                       "multi pools the positives that a user has in the batch; reweight does not");
    temperature_.declare(options, "bsl");
    options
        .add("bsl.ratio", ratio_,
             "weight of the sum over the negatives: temperature of the positives divided by that "
             "of the negatives")
        .above(0)
        .tune_linear(0.7, 1.4);
  }

  void start(const LossContext& context) override { temperature_.start(context.train.item_count); }

  bool joins_users() const override { return mode_ == BslMode::kMulti; }

  bool takes_blocks() const override { return true; }

  void block(const LossBlock& block) const override {
    const bool multi = mode_ == BslMode::kMulti;
    const double scale = 1 / temperature_.value();
    for_each_block_row(block, [&](BlockRow& row) {
      const BlockLogSum negatives = block_log_sum_exp(row, scale);
      row.factor = static_cast<float>(ratio_ * scale / negatives.sum);
      if (multi) return ratio_ * (negatives.value - std::log(row.count));
      row.positive_slope = static_cast<float>(-scale);
      return ratio_ * negatives.value - scale * double{row.positive_score};
    });
  }

  void block_positives(const LossInput& in, const LossOutput& out) const override {
    thread_local PooledPositives pooled;
    pooled.pool(in, temperature_.value());
    for (size_t r = 0; r < in.rows(); ++r) {
      const double weight = in.row_weights.empty() ? 1.0 : double{in.row_weights[r]};
      out.losses[r] -= weight * pooled.log_mean[r];
      out.positive_slopes[r] = positive_slope(in, pooled, r);
    }
  }

  void rows(const LossInput& in, const LossOutput& out) const override {
    thread_local PooledPositives pooled;
    const bool multi = mode_ == BslMode::kMulti;
    if (multi) pooled.pool(in, temperature_.value());
    const double log_count = multi ? std::log(static_cast<double>(in.negatives_per_row)) : 0;
    const double temperature = temperature_.value();
    const auto scale = static_cast<float>(1 / temperature);
    for_each_row(in, out, [&](LossRow& row) {
      const LogSum sum = log_sum_exp(row, temperature, false);
      for (float& slope : row.negative_slopes) slope *= static_cast<float>(ratio_) * scale;
      row.positive_slope = -scale;
      const double positive =
          multi ? pooled.log_mean[row.number] : double{row.positive_score} / temperature;
      return ratio_ * (sum.value - log_count) - positive;
    });
    if (!multi) return;
    for (size_t r = 0; r < in.rows(); ++r) out.positive_slopes[r] = positive_slope(in, pooled, r);
  }

 private:
  float positive_slope(const LossInput& in, const PooledPositives& pooled, size_t row) const {
    return -in.share * static_cast<float>(1 / temperature_.value()) *
           static_cast<float>(pooled.slope[row]);
  }

  BslMode mode_ = BslMode::kReweight;
  Temperature temperature_;
  double ratio_ = 0.84;
};

}  // namespace

std::unique_ptr<Loss> make_bsl() {
  return std::make_unique<Bsl>();
}

}  // namespace divns
