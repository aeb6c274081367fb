// SPDX-License-Identifier: Apache-2.0
// Residuals never increase, so an old value is an upper bound. A small frontier of rows is kept up
// to date in float32; no row outside it is above `level_`. As long as the best row of the frontier
// is clearly above the level, the next pick is in the frontier, and only rows that float32 cannot
// distinguish from the best are compared in float64. When the frontier has fallen to the level, the
// level is lowered and the rows whose bounds are above it are brought up to date.
//
// error() bounds the float32 error. It is relative to earlier residuals and to the longest row that
// can still be chosen. When residuals have become so small that the error matters (from 1 to the
// size of the jitter when the rank is reached, or when the long rows have been chosen), all
// residuals are recomputed from M. The time between two recomputations is called an era. If even
// that is too coarse, the remaining picks use float64 residuals for all rows.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "dpp/greedy.h"
#include "kernels/dpp_gains.h"
#include "kernels/row_dots.h"

namespace divns {
namespace {

constexpr float kOut = -std::numeric_limits<float>::infinity();
constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();
// After this many missed picks, computing a residual from M is cheaper than subtracting the missed
// ones.
constexpr uint32_t kLongestCatchUp = 24;
// A wide frontier costs time at every pick; a narrow one falls to the level sooner.
constexpr size_t kFrontier = 128;
// float32 distinguishes rows well if its error is below the first share of the best residual. Up to
// the second, comparing some rows in float64 still costs less than keeping all of them in float64.
constexpr double kBlur = 0.002;
constexpr double kMostBlur = 0.01;
// Over millions of picks the error never exceeded 1.5 times the estimate.
constexpr double kSafety = 3;
constexpr double kUnit = 0x1p-24;

class LazyGreedy {
 public:
  LazyGreedy(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks)
      : problem_(problem),
        rows_(problem.rows),
        s_(scratch),
        picks_(picks),
        width_(rows_.stride()),
        longest_square_(rows_.largest_square()) {}

  void run() {
    begin();
    if (!pick(static_cast<uint32_t>(next_pick(rows_, {}, picks_)))) return;
    while (picks_.size() < problem_.k) {
      if (!find_level()) return finish_in_float64();
      if (!pick_from_frontier()) return;
    }
  }

 private:
  void begin() {
    s_.space.reset(width_, problem_.jitter);
    const auto squares = rows_.squares();
    s_.bound.resize(rows_.size());
    std::transform(squares.begin(), squares.end(), s_.bound.begin(),
                   [](double x) { return static_cast<float>(x); });
    s_.version.assign(rows_.size(), 0);
    // Three rows of zeros always follow, as catch_up requires.
    s_.history.resize((problem_.k + 3) * width_);
    std::fill_n(s_.history.begin(), 3 * width_, 0.0F);
    s_.folded.resize(width_ * width_);
    s_.frontier.clear();
    s_.fresh.clear();
    measured_error_ = kUnit * longest_square_;
    update_variance_ = 0;
  }

  // Rounding errors are many, small and independent, so their variances add up.
  double error() const {
    return kSafety * std::sqrt(measured_error_ * measured_error_ + update_variance_);
  }
  uint32_t now() const { return static_cast<uint32_t>(picks_.size()); }

  // Chooses a row that has been removed from frontier and bounds. Returns false if its gain is too
  // small.
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
    const double dot_error = kUnit * std::sqrt(longest_square_ * square * left);
    update_variance_ += dot_error * dot_error + kUnit * kUnit * left * left;
    return true;
  }

  // Ensures that the best row is in the frontier. Returns false if float32 is too coarse for that.
  bool find_level() {
    // Every pass lowers the level or begins an era, so a few are enough. Should rounding keep them
    // from getting anywhere, float64 finishes the work.
    constexpr int kMostPasses = 256;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      if (!s_.frontier.empty()) {
        if (is_new_era_) {
          if (4 * error() > kMostBlur * top_) return false;
          blur_ = std::max(kBlur, 4 * error() / top_);
        }
        if (error() > blur_ * top_) {
          begin_era();
        } else if (top_ - 2 * error() > level_) {
          return true;
        }
      }
      lower_level();
    }
    return false;
  }

  // Moves every row that can still be chosen out of the frontier, to be recomputed from M.
  void begin_era() {
    for (size_t i = 0; i < s_.frontier.size(); ++i) s_.bound[s_.frontier[i]] = s_.fresh[i];
    s_.frontier.clear();
    s_.fresh.clear();
    const auto slack = static_cast<float>(error());
    longest_square_ = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (s_.bound[i] == kOut) continue;
      s_.bound[i] += slack;
      longest_square_ = std::max(longest_square_, rows_.squares()[i]);
    }
    std::fill(s_.version.begin(), s_.version.end(), kNever);
    measured_error_ = update_variance_ = 0;
    is_new_era_ = true;
  }

  void lower_level() {
    if (s_.frontier.empty()) top_ = *std::max_element(s_.bound.begin(), s_.bound.end());
    level_ = top_ > 0 ? below_top(step_ * top_) : -1;
    leave_frontier();
    s_.waiting.resize(rows_.size() + 16);
    s_.waiting.resize(select_above(s_.bound.data(), rows_.size(), level_, s_.waiting.data()));
    measure_forgotten();
    catch_up_waiting();
    if (s_.frontier.empty()) return;
    top_ = *std::max_element(s_.fresh.begin(), s_.fresh.end());
    if (s_.frontier.size() > 2 * kFrontier) {
      raise_level();
    } else if (s_.frontier.size() < kFrontier / 2) {
      step_ = std::min(step_ * 1.25, 0.9);
    }
  }

  // A level far enough below the top that float32 is certain of the difference.
  float below_top(double distance) const {
    return static_cast<float>(top_ - std::max(distance, 4 * error()));
  }

  // Keeps only the best rows of a frontier that has become too wide.
  void raise_level() {
    s_.products.assign(s_.fresh.begin(), s_.fresh.end());
    const auto last = s_.products.begin() + kFrontier;
    std::nth_element(s_.products.begin(), last, s_.products.end(), std::greater<>());
    level_ = below_top(top_ - *last);
    step_ = std::max<double>(1 - level_ / top_, kBlur);
    leave_frontier();
  }

  void leave_frontier() {
    size_t kept = 0;
    for (size_t i = 0; i < s_.frontier.size(); ++i) {
      const uint32_t row = s_.frontier[i];
      if (s_.fresh[i] > level_) {
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

  void settle(uint32_t row, uint32_t version, float residual) {
    s_.version[row] = version;
    if (residual > level_) {
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

  // Recomputes rows outside the frontier from M if they have missed too many picks.
  void measure_forgotten() {
    s_.forgotten.clear();
    size_t kept = 0;
    for (const uint32_t row : s_.waiting) {
      if (is_forgotten(row)) {
        s_.forgotten.push_back(row);
      } else {
        s_.waiting[kept++] = row;
      }
    }
    s_.waiting.resize(kept);
    const size_t count = s_.forgotten.size();
    if (count == 0) return;
    fold_symmetric(s_.space.matrix(), width_, s_.folded.data());
    // M <= I bounds its effect on a row; if little remains, the norm of M is a tighter bound.
    measured_error_ =
        std::max(measured_error_, kUnit * longest_square_ * std::min(s_.space.norm(), 1.0));
    s_.products.resize(count);
    quadratic_forms(rows_.data(), width_, s_.forgotten.data(), count, s_.folded.data(),
                    s_.products.data());
    for (size_t i = 0; i < count; ++i) settle(s_.forgotten[i], now(), s_.products[i]);
  }

  void catch_up_waiting() {
    const size_t count = s_.waiting.size();
    s_.products.resize(count);
    s_.versions.resize(count);
    for (size_t i = 0; i < count; ++i) {
      s_.products[i] = s_.bound[s_.waiting[i]];
      s_.versions[i] = s_.version[s_.waiting[i]];
    }
    catch_up(rows_.data(), width_, s_.waiting.data(), count, s_.history.data(), now(), level_,
             s_.versions.data(), s_.products.data());
    for (size_t i = 0; i < count; ++i) settle(s_.waiting[i], s_.versions[i], s_.products[i]);
  }

  bool pick_from_frontier() {
    const size_t place = best_place();
    const uint32_t row = s_.frontier[place];
    s_.frontier[place] = s_.frontier.back();
    s_.fresh[place] = s_.fresh.back();
    s_.frontier.pop_back();
    s_.fresh.pop_back();
    if (!pick(row)) return false;
    is_new_era_ = false;
    if (picks_.size() == problem_.k) return true;
    top_ = subtract_squared_dots(rows_.data(), width_, s_.frontier.data(), s_.frontier.size(),
                                 s_.history.data() + (picks_.size() - 1) * width_, s_.fresh.data());
    return true;
  }

  // Position of the best row in the frontier. float64 decides among those within the error.
  size_t best_place() {
    const float doubtful = std::nextafter(static_cast<float>(top_ - 2 * error()), kOut);
    s_.waiting.resize(s_.fresh.size() + 16);
    const size_t contenders =
        select_above(s_.fresh.data(), s_.fresh.size(), doubtful, s_.waiting.data());
    size_t place = s_.waiting[0];
    if (contenders == 1) return place;
    double best = -1;
    for (size_t i = 0; i < contenders; ++i) {
      const size_t other = s_.waiting[i];
      const double left = s_.space.residual(rows_.row(s_.frontier[other]));
      if (left > best || (left == best && s_.frontier[other] < s_.frontier[place])) {
        best = left;
        place = other;
      }
    }
    return place;
  }

  void finish_in_float64() {
    for (size_t i = 0; i < s_.frontier.size(); ++i) s_.bound[s_.frontier[i]] = s_.fresh[i];
    s_.residual.resize(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i)
      s_.residual[i] = s_.bound[i] == kOut ? -1 : s_.space.residual(rows_.row(i));
    continue_updates(problem_, s_, picks_);
  }

  const GreedyProblem& problem_;
  const FeatureRows& rows_;
  GreedyScratch& s_;
  Picks& picks_;
  const size_t width_;
  double longest_square_;  // of the rows that could be chosen when the era began
  double measured_error_ = 0;
  double update_variance_ = 0;
  float level_ = std::numeric_limits<float>::infinity();
  float top_ = kOut;     // the largest residual in the frontier
  double step_ = 0.1;    // distance of the next level below the top, as a share of the top
  double blur_ = kBlur;  // tolerated error of this era: at least four times the initial one
  bool is_new_era_ = false;
};

}  // namespace

void greedy_lazy(const GreedyProblem& problem, GreedyScratch& scratch, Picks& picks) {
  LazyGreedy(problem, scratch, picks).run();
}

}  // namespace divns
