// SPDX-License-Identifier: Apache-2.0
// Residuals only ever fall, so an old value is an upper bound. A small frontier of rows is kept up
// to date in float32; no row outside it can be above `level_`. As long as the best of the frontier
// is clearly above the level, the next pick is in it, and only rows that float32 cannot tell apart
// from the best are compared in float64. When the frontier has sunk to the level, the level is
// lowered and the rows whose bounds are above it are brought up to date.
//
// `error_` bounds what float32 can be off by. It is relative to residuals of the past; once they
// have shrunk so far that it matters (from 1 to the size of the jitter when the rank is reached),
// everything is measured anew from M: a new era. Where even that is too coarse, a stretch of picks
// is made with all residuals in float64.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dpp/greedy.h"
#include "kernels/dpp_gains.h"
#include "kernels/row_dots.h"

namespace divns {
namespace {

constexpr float kOut = -std::numeric_limits<float>::infinity();
constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();
// Beyond so many missed picks a residual is cheaper to measure from M than to catch up.
constexpr uint32_t kLongestCatchUp = 32;
constexpr size_t kFrontier = 64;
// Float32 still tells rows apart if its error is below this share of the best residual.
constexpr double kBlur = 0.01;
constexpr size_t kStretch = 8;
constexpr double kUnit = 0x1p-24;

class LazyGreedy {
 public:
  LazyGreedy(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks)
      : problem_(problem),
        rows_(problem.rows),
        s_(scratch),
        picks_(picks),
        width_(rows_.stride()),
        longest_(std::sqrt(rows_.largest_square())),
        // Rounding errors of a sum of n terms grow like sqrt(n); four times that is never met.
        dot_error_(kUnit * (4 + 4 * std::sqrt(static_cast<double>(width_) / 8))),
        form_error_(kUnit * (4 + 4 * std::sqrt(static_cast<double>(width_)))) {}

  void run() {
    begin();
    bool ended = !pick(static_cast<uint32_t>(next_pick(rows_, {}, picks_)));
    while (!ended && picks_.size() < problem_.k)
      ended = find_level() ? !pick_from_frontier() : !pick_stretch();
  }

 private:
  void begin() {
    s_.space.reset(width_, problem_.jitter);
    const auto squares = rows_.squares();
    s_.bound.resize(rows_.size());
    std::transform(squares.begin(), squares.end(), s_.bound.begin(),
                   [](double x) { return static_cast<float>(x); });
    s_.version.assign(rows_.size(), 0);
    // Three rows of zeros always follow, as catch_up asks.
    s_.history.resize((problem_.k + 3) * width_);
    std::fill_n(s_.history.begin(), 3 * width_, 0.0F);
    s_.folded.resize(width_ * width_);
    s_.frontier.clear();
    s_.fresh.clear();
    measured_error_ = 2 * kUnit * longest_ * longest_;
    update_error_ = 0;
  }

  double error() const { return measured_error_ + update_error_; }
  uint32_t now() const { return static_cast<uint32_t>(picks_.size()); }
  float best_fresh() const {
    return s_.fresh.empty() ? kOut : *std::max_element(s_.fresh.begin(), s_.fresh.end());
  }

  // Takes a row that has left frontier and bounds. False if it must not be taken any more.
  bool pick(uint32_t row) {
    const double left = s_.space.residual(rows_.row(row));
    if (left <= problem_.smallest_residual) return false;
    s_.bound[row] = kOut;
    picks_.add(row, problem_.jitter + left);
    if (picks_.size() == problem_.k) return true;

    const double* const w = s_.space.choose();
    const size_t t = picks_.size() - 1;
    float* const kept = s_.history.data() + t * width_;
    double square = 0;
    for (size_t c = 0; c < width_; ++c) {
      kept[c] = static_cast<float>(w[c]);
      square += w[c] * w[c];
    }
    std::fill_n(kept + 3 * width_, width_, 0.0F);
    // The error of (b.w)^2 with |b.w| <= sqrt(left), and of the subtraction.
    update_error_ += 2 * dot_error_ * std::sqrt(left * square) * longest_ + 4 * kUnit * left;
    return true;
  }

  // Makes sure that the best row is in the frontier. False if float32 is too coarse for that.
  bool find_level() {
    while (true) {
      const double best = best_fresh();
      if (best - 2 * error() > level_) return true;
      if (!s_.fresh.empty() && error() > kBlur * best) {
        if (new_era_) return false;
        begin_era();
      }
      lower_level();
    }
  }

  // Everything still open waits outside to be measured from M.
  void begin_era() {
    for (size_t i = 0; i < s_.frontier.size(); ++i) s_.bound[s_.frontier[i]] = s_.fresh[i];
    s_.frontier.clear();
    s_.fresh.clear();
    const auto slack = static_cast<float>(error());
    for (float& bound : s_.bound) bound += slack;
    std::fill(s_.version.begin(), s_.version.end(), kNever);
    measured_error_ = update_error_ = 0;
    level_ = std::numeric_limits<double>::infinity();
    new_era_ = true;
  }

  void lower_level() {
    double top = best_fresh();
    if (s_.fresh.empty()) top = *std::max_element(s_.bound.begin(), s_.bound.end());
    level_ = top > 0 ? top * (1 - step_) : -1;
    const auto level = static_cast<float>(level_);
    leave_frontier(level);
    s_.waiting.clear();
    for (size_t i = 0; i < s_.bound.size(); ++i)
      if (s_.bound[i] > level) s_.waiting.push_back(static_cast<uint32_t>(i));
    measure_forgotten(level);
    catch_up_waiting(level);
    if (s_.frontier.size() > 2 * kFrontier) step_ = std::max(step_ * 0.8, 4 * kBlur);
    if (s_.frontier.size() < kFrontier / 2) step_ = std::min(step_ * 1.25, 0.9);
  }

  void leave_frontier(float level) {
    size_t kept = 0;
    for (size_t i = 0; i < s_.frontier.size(); ++i) {
      const uint32_t row = s_.frontier[i];
      if (s_.fresh[i] > level) {
        s_.frontier[kept] = row;
        s_.fresh[kept++] = s_.fresh[i];
      } else {
        s_.bound[row] = s_.fresh[i];
        s_.version[row] = now();
      }
    }
    s_.frontier.resize(kept);
    s_.fresh.resize(kept);
  }

  void settle(uint32_t row, uint32_t version, float residual, float level) {
    s_.version[row] = version;
    if (residual > level) {
      s_.bound[row] = kOut;
      s_.frontier.push_back(row);
      s_.fresh.push_back(residual);
    } else {
      s_.bound[row] = residual;
    }
  }

  bool is_forgotten(uint32_t row) const {
    return s_.version[row] == kNever || now() - s_.version[row] > kLongestCatchUp;
  }

  // Waiting rows that have missed too much are measured from M and no longer wait.
  void measure_forgotten(float level) {
    auto& waiting = s_.waiting;
    const auto forgotten = std::stable_partition(waiting.begin(), waiting.end(),
                                                 [&](uint32_t row) { return !is_forgotten(row); });
    const auto count = static_cast<size_t>(waiting.end() - forgotten);
    if (count == 0) return;
    fold_symmetric(s_.space.matrix(), width_, s_.folded.data());
    measured_error_ =
        std::max(measured_error_, 2 * form_error_ * longest_ * longest_ * s_.space.norm());
    s_.products.resize(count);
    quadratic_forms(rows_.data(), width_, &*forgotten, count, s_.folded.data(), s_.products.data());
    for (size_t i = 0; i < count; ++i)
      settle(forgotten[static_cast<ptrdiff_t>(i)], now(), s_.products[i], level);
    waiting.erase(forgotten, waiting.end());
  }

  void catch_up_waiting(float level) {
    const size_t count = s_.waiting.size();
    s_.products.resize(count);
    s_.numbers.resize(count);
    for (size_t i = 0; i < count; ++i) {
      s_.products[i] = s_.bound[s_.waiting[i]];
      s_.numbers[i] = s_.version[s_.waiting[i]];
    }
    catch_up(rows_.data(), width_, s_.waiting.data(), count, s_.history.data(), now(), level,
             s_.numbers.data(), s_.products.data());
    for (size_t i = 0; i < count; ++i) settle(s_.waiting[i], s_.numbers[i], s_.products[i], level);
  }

  bool pick_from_frontier() {
    const size_t place = best_place();
    const uint32_t row = s_.frontier[place];
    s_.frontier[place] = s_.frontier.back();
    s_.fresh[place] = s_.fresh.back();
    s_.frontier.pop_back();
    s_.fresh.pop_back();
    if (!pick(row)) return false;
    new_era_ = false;
    if (picks_.size() == problem_.k) return true;
    const size_t n = s_.frontier.size();
    s_.products.resize(n);
    gathered_row_dots(rows_.data(), width_, s_.frontier.data(), n,
                      s_.history.data() + (picks_.size() - 1) * width_, s_.products.data());
    for (size_t i = 0; i < n; ++i) s_.fresh[i] -= s_.products[i] * s_.products[i];
    return true;
  }

  // Where in the frontier the best row is. Float64 decides among those within the error.
  size_t best_place() {
    const auto doubtful = static_cast<float>(best_fresh() - 2 * error());
    size_t place = 0;
    double best = -1;
    size_t contenders = 0;
    for (size_t i = 0; i < s_.fresh.size(); ++i) {
      if (s_.fresh[i] < doubtful) continue;
      if (contenders++ == 0) {
        place = i;
        continue;
      }
      if (best < 0) best = s_.space.residual(rows_.row(s_.frontier[place]));
      const double other = s_.space.residual(rows_.row(s_.frontier[i]));
      if (other > best || (other == best && s_.frontier[i] < s_.frontier[place])) {
        best = other;
        place = i;
      }
    }
    return place;
  }

  // A few picks with all residuals in float64.
  bool pick_stretch() {
    s_.residual.resize(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) s_.residual[i] = -1;
    for (size_t i = 0; i < s_.frontier.size(); ++i) s_.bound[s_.frontier[i]] = s_.fresh[i];
    for (size_t i = 0; i < rows_.size(); ++i)
      if (s_.bound[i] != kOut) s_.residual[i] = s_.space.residual(rows_.row(i));
    GreedyProblem stretch = problem_;
    continue_updates(stretch, s_, picks_);
    return false;
  }

  const GreedyProblem& problem_;
  const FeatureRows& rows_;
  GreedyScratch& s_;
  Picks& picks_;
  const size_t width_;
  const double longest_;
  const double dot_error_;
  const double form_error_;
  double measured_error_ = 0;
  double update_error_ = 0;
  double level_ = std::numeric_limits<double>::infinity();
  double step_ = 0.1;
  bool new_era_ = false;
};

}  // namespace

void greedy_lazy(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks) {
  LazyGreedy(problem, scratch, picks).run();
}

}  // namespace divns
