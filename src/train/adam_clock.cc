// SPDX-License-Identifier: Apache-2.0
#include "train/adam_clock.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace divns {
namespace {

// Steps before this are replayed one by one.
constexpr uint64_t kReplayedSteps = 128;
// beta1^s is below 1e-11 by then for the usual 0.9.
constexpr uint64_t kLongestGap = 256;

// Nodes and weights of the two-point Gauss rule that has the moments given.
struct TwoPointRule {
  double nodes[2];
  double weights[2];
};

TwoPointRule two_point_rule(const double (&m)[4]) {
  // x^2 + a x + b is orthogonal to 1 and x under the weights.
  const double determinant = m[0] * m[2] - m[1] * m[1];
  const double a = (m[1] * m[2] - m[0] * m[3]) / determinant;
  const double b = (m[1] * m[3] - m[2] * m[2]) / determinant;
  const double half = std::sqrt(std::max(0.0, a * a / 4 - b));
  const double low = -a / 2 - half;
  const double high = -a / 2 + half;
  const double share = (m[1] - low * m[0]) / (high - low);
  return {{low, high}, {m[0] - share, share}};
}

}  // namespace

AdamClock::AdamClock(const AdamOptions& options) : options_(options), gaps_(1) {
  for (uint64_t s = 0; s <= kLongestGap; ++s) {
    beta1_powers_.push_back(std::pow(options.beta1, static_cast<double>(s)));
    beta2_half_powers_.push_back(std::pow(options.beta2, static_cast<double>(s) / 2));
  }
}

AdamStep AdamClock::current() const {
  return {static_cast<float>(options_.beta1), static_cast<float>(options_.beta2),
          static_cast<float>(rate_), static_cast<float>(root_),
          static_cast<float>(options_.epsilon)};
}

void AdamClock::advance() {
  ++step_;
  const auto t = static_cast<double>(step_);
  rate_ = options_.learning_rate / (1 - std::pow(options_.beta1, t));
  root_ = 1 / std::sqrt(1 - std::pow(options_.beta2, t));
  const uint64_t oldest = std::max(settled_, step_ > kLongestGap ? step_ - kLongestGap : 0);
  for (uint64_t t0 = oldest; t0 < step_; ++t0) lengthen(gaps_[t0 - settled_], step_ - t0);
  gaps_.emplace_back().replayed = step_ < kReplayedSteps;
}

void AdamClock::lengthen(Gap& gap, uint64_t length) {
  const double weight = rate_ * beta1_powers_[length];
  const double root = root_ * beta2_half_powers_[length];
  if (length == 1) gap.first_root = root;
  const double distance = root / gap.first_root - 1;
  double power = weight;
  for (double& moment : gap.moments) {
    moment += power;
    power *= distance;
  }
  if (gap.replayed || length <= 2) {
    gap.weights.push_back(static_cast<float>(weight));
    gap.roots.push_back(static_cast<float>(root));
    return;
  }
  const TwoPointRule rule = two_point_rule(gap.moments);
  for (size_t q = 0; q < 2; ++q) {
    gap.weights[q] = static_cast<float>(rule.weights[q]);
    gap.roots[q] = static_cast<float>(gap.first_root * (1 + rule.nodes[q]));
  }
}

AdamCatchUp AdamClock::since(uint64_t t0) const {
  const uint64_t length = step_ - t0;
  DIVNS_ASSERT(t0 >= settled_ && length > 0);
  const Gap& gap = gaps_[t0 - settled_];
  const double m_decay = length <= kLongestGap
                             ? beta1_powers_[length]
                             : std::pow(options_.beta1, static_cast<double>(length));
  const double v_decay_root = length <= kLongestGap
                                  ? beta2_half_powers_[length]
                                  : std::pow(options_.beta2, static_cast<double>(length) / 2);
  return {gap.weights, gap.roots, static_cast<float>(m_decay),
          static_cast<float>(v_decay_root * v_decay_root), static_cast<float>(options_.epsilon)};
}

void AdamClock::settle() {
  settled_ = step_;
  gaps_.assign(1, Gap());
  gaps_.front().replayed = step_ < kReplayedSteps;
}

void AdamClock::restart_at(uint64_t step) {
  step_ = step;
  settle();
}

}  // namespace divns
