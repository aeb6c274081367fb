// SPDX-License-Identifier: Apache-2.0
#include "dpp/exact.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "dpp/tolerance.h"
#include "kernels/dpp_gains.h"
#include "kernels/row_dots.h"
#include "linalg/symmetric_eigen.h"

namespace divns {
namespace {

// -B^T B, stride x stride.
AlignedVector<double> negative_dual(const FeatureRows& rows) {
  constexpr size_t kBlock = 32;
  const size_t width = rows.stride();
  AlignedVector<double> dual(width * width, 0.0);
  AlignedVector<double> block(kBlock * width);
  for (size_t begin = 0; begin < rows.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, rows.size() - begin);
    std::copy_n(rows.row(begin), count * width, block.begin());
    subtract_outer_products(dual.data(), width, block.data(), count);
  }
  return dual;
}

// log binomial(n, r) for r = 0 .. most; -infinity if r > n.
std::vector<double> log_binomials(size_t n, size_t most) {
  std::vector<double> logs(most + 1, kLogZero);
  logs[0] = 0;
  for (size_t r = 1; r <= std::min(n, most); ++r)
    logs[r] = logs[r - 1] + std::log(static_cast<double>(n - r + 1) / static_cast<double>(r));
  return logs;
}

std::vector<double> with_jitter(std::vector<double> values, double jitter) {
  for (double& value : values) value += jitter;
  return values;
}

// Makes row `last` of the basis orthogonal to the rows before it and of length 1. Applied twice,
// because one pass leaves a residue if little of the row remains.
void orthonormalise(Frame& basis, size_t last, ScratchVector<double>& along) {
  double* const row = basis.row(last);
  along.resize(last);
  for (int pass = 0; pass < 2; ++pass) {
    row_dots(basis.values.data(), basis.stride, last, row, along.data());
    subtract_combination(row, basis.stride, basis.values.data(), last, along.data());
  }
  double square = 0;
  row_dots(row, basis.stride, 1, row, &square);
  const double scale = 1 / std::sqrt(square);
  for (size_t i = 0; i < basis.stride; ++i) row[i] *= scale;
}

}  // namespace

DualSpectrum::DualSpectrum(const FeatureRows& rows) : dim_(rows.dim()) {
  const AlignedVector<double> dual = negative_dual(rows);
  const SymmetricEigen eigen = symmetric_eigen(dual.data(), dim_, rows.stride());
  // Eigenvalues of -C, so the largest of C come first.
  const double largest = dim_ == 0 ? 0 : -eigen.values[0];
  const size_t most = std::min(dim_, rows.size());
  while (values_.size() < most && -eigen.values[values_.size()] > kRankTolerance * largest)
    values_.push_back(-eigen.values[values_.size()]);
  vectors_.assign(eigen.vectors.begin(),
                  eigen.vectors.begin() + static_cast<ptrdiff_t>(values_.size() * dim_));
}

void DualSpectrum::eigenvectors(const FeatureRows& rows, const std::vector<size_t>& chosen,
                                Frame& frame) const {
  AlignedVector<double> direction(rows.stride(), 0.0);
  AlignedVector<double> image(rows.size());
  for (size_t c = 0; c < chosen.size(); ++c) {
    const size_t r = chosen[c];
    for (size_t j = 0; j < dim_; ++j) direction[j] = vectors_[r * dim_ + j] / std::sqrt(values_[r]);
    row_dots(rows.data(), rows.stride(), rows.size(), direction.data(), image.data());
    for (size_t i = 0; i < rows.size(); ++i) frame.row(i)[c] = image[i];
  }
}

ExactKdpp::ExactKdpp(const FeatureRows& rows, const DualSpectrum& spectrum, size_t k, double jitter)
    : rows_(rows),
      spectrum_(spectrum),
      k_(k),
      symmetric_(with_jitter(spectrum.values(), jitter), std::min(k, spectrum.rank())) {
  // e_k of all N eigenvalues = sum_a e_a(signal) * binomial(N - rank, k - a) eps^(k - a).
  const size_t noise = rows.size() - spectrum.rank();
  DIVNS_ASSERT(k <= rows.size() && (jitter > 0 || k <= spectrum.rank()));
  const std::vector<double> binomials = log_binomials(noise, k);
  for (size_t a = 0; a <= std::min(k, spectrum.rank()); ++a) {
    const size_t rest = k - a;
    const double powers = rest == 0 ? 0 : static_cast<double>(rest) * std::log(jitter);
    log_weights_.push_back(symmetric_.log_total(a) + binomials[rest] + powers);
  }
}

size_t ExactKdpp::draw_signal_count(Draws& draws) const {
  double total = kLogZero;
  for (const double weight : log_weights_) total = log_add(total, weight);
  const double target = draws.uniform();
  double sum = 0;
  for (size_t a = log_weights_.size(); a-- > 0;) {
    sum += std::exp(log_weights_[a] - total);
    if (sum > target) return a;
  }
  return log_weights_.size() - 1;
}

void ExactKdpp::draw(Draws& draws, ScratchVector<uint32_t>& chosen) {
  const size_t a = draw_signal_count(draws);
  symmetric_.draw(a, draws, signal_);
  frame_.reset(rows_.size(), k_);
  spectrum_.eigenvectors(rows_, signal_, frame_);
  if (a < k_) append_noise(a, draws);
  projection_.draw(frame_, draws, chosen);
}

// The eigenspace of eps is the orthogonal complement of the range of B. Its directions are
// equivalent, so any uniformly random orthonormal frame in it has the right distribution: Gaussian
// columns, made orthogonal to the range and to each other.
void ExactKdpp::append_noise(size_t from, Draws& draws) {
  const size_t n = rows_.size();
  const size_t rank = spectrum_.rank();
  basis_.reset(rank + k_ - from, n);
  std::vector<size_t> all(rank);
  std::iota(all.begin(), all.end(), size_t{0});
  range_.reset(n, rank);
  spectrum_.eigenvectors(rows_, all, range_);
  for (size_t c = 0; c < basis_.rows; ++c) {
    for (size_t i = 0; i < n; ++i) basis_.row(c)[i] = c < rank ? range_.row(i)[c] : draws.normal();
    orthonormalise(basis_, c, along_);
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t c = from; c < k_; ++c) frame_.row(i)[c] = basis_.row(rank + c - from)[i];
}

namespace {

// Adds the rows as picks, with the gains of this order.
void add_with_gains(const FeatureRows& rows, std::span<const uint32_t> chosen, double jitter,
                    ResidualSpace& space, Picks& picks, std::span<const uint32_t> numbers) {
  space.reset(rows.stride(), jitter);
  for (const uint32_t row : chosen) {
    const double gain = jitter + space.residual(rows.row(row));
    picks.add(numbers.empty() ? row : numbers[row], gain);
    if (gain > 0) space.choose();
  }
}

}  // namespace

void exact(const FeatureRows& rows, size_t k, const DppConfig& config, Draws& draws,
           GreedyScratch& scratch, Picks& picks) {
  picks.clear();
  k = std::min(k, rows.size());
  if (k == 0) return;
  const bool jittered = config.rank_policy == RankPolicy::kJitter;
  const double jitter = jittered ? scaled_jitter(rows, config.jitter) : 0;
  auto& numbers = scratch.numbers;
  numbers.resize(rows.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  scratch.keep.assign(rows.size(), 1);
  while (picks.size() < k) {
    scratch.remaining.pack_kept(rows, scratch.keep);
    const DualSpectrum spectrum(scratch.remaining);
    const size_t wanted = k - picks.size();
    const size_t count = jittered ? wanted : std::min(wanted, spectrum.rank());
    if (count == 0) break;
    scratch.waiting.clear();
    ExactKdpp(scratch.remaining, spectrum, count, jitter).draw(draws, scratch.waiting);
    add_with_gains(scratch.remaining, scratch.waiting, jitter, scratch.space, picks, numbers);
    if (config.rank_policy == RankPolicy::kStop) break;
    for (const uint32_t row : scratch.waiting) scratch.keep[numbers[row]] = 0;
    std::erase_if(numbers, [&](uint32_t row) { return scratch.keep[row] == 0; });
  }
  unscale_gains(rows, picks);
  if (config.rank_policy == RankPolicy::kStop) return;
  // The remaining rows have no length and are equivalent.
  for (size_t i = 0; picks.size() < k; ++i) picks.add(numbers[i], 0);
}

}  // namespace divns
