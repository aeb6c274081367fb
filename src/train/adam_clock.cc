// SPDX-License-Identifier: Apache-2.0
#include "train/adam_clock.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace divns {
namespace {

// Sums that begin before this step are computed term by term.
constexpr uint64_t kReplayedSteps = 128;
// beta1^s is below 1e-11 for longer gaps and the usual beta1 of 0.9.
constexpr uint64_t kLongestGap = 256;

// Nodes and weights of the two-point Gauss rule with these moments.
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

AdamClock::AdamClock(double learning_rate, const AdamOptions& options, const RateSchedule& schedule)
    : learning_rate_(learning_rate), options_(options), schedule_(schedule) {
  for (uint64_t s = 0; s <= kLongestGap; ++s) {
    beta1_powers_.push_back(std::pow(options.beta1, static_cast<double>(s)));
    beta2_half_powers_.push_back(std::pow(options.beta2, static_cast<double>(s) / 2));
  }
  restart_at(0);
}

AdamCorrections AdamOptions::corrections(double learning_rate, double t) const {
  return {learning_rate / (1 - std::pow(beta1, t)), 1 / std::sqrt(1 - std::pow(beta2, t))};
}

AdamStep AdamOptions::step(const AdamCorrections& corrections) const {
  return {.beta1 = static_cast<float>(beta1),
          .beta2 = static_cast<float>(beta2),
          .rest1 = static_cast<float>(1 - beta1),
          .rest2 = static_cast<float>(1 - beta2),
          .rate = static_cast<float>(corrections.rate),
          .root = static_cast<float>(corrections.root),
          .epsilon = static_cast<float>(epsilon)};
}

AdamStep AdamClock::current() const {
  return options_.step(corrections(step_));
}

void AdamClock::advance() {
  DIVNS_ASSERT(step_ < horizon_);
  ++step_;
  know_corrections();
  gaps_.push_back(gaps_after(step_));
  if (step_ - settled_ < kLongestGap) return;
  // Gaps from this t0 are now at least as long as the longest in the list, so only the last entry
  // is still needed.
  Gaps& old = gaps_[step_ - settled_ - kLongestGap];
  if (old.replayed) return;
  for (std::vector<float>* terms : {&old.weights, &old.roots})
    *terms = std::vector<float>(terms->end() - 2, terms->end());
}

uint64_t AdamClock::longest_gap(uint64_t t0) const {
  return std::min(kLongestGap, std::max(horizon_, t0) - t0);
}

// Computes the corrections up to the end of the longest gap that begins now.
void AdamClock::know_corrections() {
  const uint64_t last = step_ + longest_gap(step_);
  for (uint64_t step = settled_ + corrections_.size() + 1; step <= last; ++step)
    corrections_.push_back(
        options_.corrections(learning_rate_ * schedule_.factor(step), static_cast<double>(step)));
}

AdamClock::Gaps AdamClock::gaps_after(uint64_t t0) const {
  Gaps gaps;
  gaps.replayed = t0 < kReplayedSteps;
  gaps.weights.reserve(2 * longest_gap(t0));
  gaps.roots.reserve(2 * longest_gap(t0));
  const auto add = [&](double weight, double root) {
    gaps.weights.push_back(static_cast<float>(weight));
    gaps.roots.push_back(static_cast<float>(root));
  };
  // Moments of the weights c_s over the relative distance of r_s from r_1.
  double moments[4] = {};
  double first_root = 0;
  for (uint64_t length = 1; length <= longest_gap(t0); ++length) {
    const auto [rate, bias_root] = corrections(t0 + length);
    const double weight = rate * beta1_powers_[length];
    const double root = bias_root * beta2_half_powers_[length];
    if (length == 1) first_root = root;
    const double distance = root / first_root - 1;
    double power = weight;
    for (double& moment : moments) {
      moment += power;
      power *= distance;
    }
    if (gaps.replayed || length <= 2) {
      add(weight, root);
      continue;
    }
    const TwoPointRule rule = two_point_rule(moments);
    for (size_t q = 0; q < 2; ++q) add(rule.weights[q], first_root * (1 + rule.nodes[q]));
  }
  return gaps;
}

AdamCatchUp AdamClock::between(uint64_t t0, uint64_t to) const {
  DIVNS_ASSERT(settled_ <= t0 && t0 <= step_ && t0 < to && step_ <= to && to <= horizon_);
  const uint64_t length = to - t0;
  const double m_decay = length <= kLongestGap
                             ? beta1_powers_[length]
                             : std::pow(options_.beta1, static_cast<double>(length));
  const double v_decay_root = length <= kLongestGap
                                  ? beta2_half_powers_[length]
                                  : std::pow(options_.beta2, static_cast<double>(length) / 2);
  const Gaps& gaps = gaps_[t0 - settled_];
  const uint64_t listed = std::min(length, kLongestGap);
  const bool by_nodes = !gaps.replayed && listed > 2;
  const size_t terms = by_nodes ? 2 : listed;
  // If only the last entry was kept, it is at the end.
  const size_t before = by_nodes ? 2 * (listed - 2) : 0;
  const size_t begin = std::min(before, gaps.weights.size() - terms);
  return {std::span(gaps.weights).subspan(begin, terms),
          std::span(gaps.roots).subspan(begin, terms), static_cast<float>(m_decay),
          static_cast<float>(v_decay_root * v_decay_root), static_cast<float>(options_.epsilon)};
}

void AdamClock::settle() {
  const auto passed = static_cast<ptrdiff_t>(step_ - settled_);
  corrections_.erase(corrections_.begin(), corrections_.begin() + passed);
  gaps_.erase(gaps_.begin(), gaps_.begin() + passed);
  settled_ = step_;
}

void AdamClock::restart_at(uint64_t step) {
  step_ = settled_ = step;
  corrections_.clear();
  know_corrections();
  gaps_.assign(1, gaps_after(step));
}

void AdamClock::set_horizon(uint64_t step) {
  horizon_ = step;
  restart_at(step_);
}

}  // namespace divns
