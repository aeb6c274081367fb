// SPDX-License-Identifier: Apache-2.0
#include "samplers/scone/reverse.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "kernels/activations.h"

namespace divns {
namespace {

// Number of rows that take all steps together, so that their state and noise stay in the cache.
constexpr size_t kRowsAtOnce = 64;

// Companions move because the next mixing reads them; after the last step there is none.
bool companions_move(const ReversePath& path, size_t step) {
  return step + 2 < path.steps.size();
}
bool mixes(const ReversePath& path, size_t step) {
  return step + 1 < path.steps.size();
}

void scale(float factor, float* x, size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] *= factor;
}

}  // namespace

// A block holds rows of x, then their companions.
struct ReverseRun::Scratch {
  AlignedVector<float> state;
  AlignedVector<float> change;
  AlignedVector<float> normals;
  AlignedVector<float> kept;
  AlignedVector<float> work;
  std::vector<uint32_t> words;

  Scratch(size_t stride, size_t hidden)
      : state(2 * kRowsAtOnce * stride),
        change(2 * kRowsAtOnce * stride),
        normals(2 * kRowsAtOnce * stride),
        kept(4 * kRowsAtOnce * hidden),
        work(4 * kRowsAtOnce * hidden),
        words(2 * kRowsAtOnce * stride) {}
};

ReverseRun::ReverseRun(const ScoreFunction& function, Random noise, const Executor& executor)
    : function_(function),
      noise_(noise),
      executor_(executor),
      stride_(padded(function.dim())),
      scratch_(static_cast<size_t>(executor.threads()),
               Scratch(stride_, function.hidden_stride())) {}

ReverseRun::~ReverseRun() = default;

// Normal deviates for the first `rows` rows of the state of a block; columns of padding get none.
void ReverseRun::fill_normals(uint32_t batch, size_t begin, size_t step, size_t rows,
                              Scratch& scratch) const {
  // Padded rows of a multiple of eight, 2 kRowsAtOnce of them at most: whole blocks of 16 fit.
  const size_t count = (rows * stride_ + kNormalBlock - 1) / kNormalBlock * kNormalBlock;
  const auto block = static_cast<uint32_t>(begin / kRowsAtOnce);
  for (size_t i = 0; i < count; i += 4) {
    const Draws::Words words =
        noise_.block(batch, block, static_cast<uint32_t>(step), static_cast<uint32_t>(i / 4));
    std::copy_n(words.data(), 4, scratch.words.data() + i);
  }
  normals_from_words(scratch.words.data(), scratch.normals.data(), count);
  for (size_t r = 0; r < rows && function_.dim() < stride_; ++r)
    std::fill(scratch.normals.begin() + static_cast<ptrdiff_t>(r * stride_ + function_.dim()),
              scratch.normals.begin() + static_cast<ptrdiff_t>((r + 1) * stride_), 0.0F);
}

void ReverseRun::add_noise(const ReversePath& path, uint32_t batch, Table& x, Table* companions) {
  const auto sigma = static_cast<float>(path.steps.front().sigma);
  executor_.for_chunks_with_worker(
      x.rows(), kRowsAtOnce, [&](int worker, size_t begin, size_t end) {
        Scratch& scratch = scratch_[static_cast<size_t>(worker)];
        const size_t own = (end - begin) * stride_;
        // The number after those of the steps, which count from 0.
        fill_normals(batch, begin, path.steps.size(), companions ? 2 * (end - begin) : end - begin,
                     scratch);
        axpy(sigma, scratch.normals.data(), x.row(begin), own);
        if (companions) axpy(sigma, scratch.normals.data() + own, companions->row(begin), own);
      });
}

void ReverseRun::forward(const ReversePath& path, uint32_t batch, Table& x, Table* companions) {
  DIVNS_ASSERT(path.steps.size() == path.levels.size());
  size_t moves = 0;
  for (size_t s = 0; s < path.steps.size(); ++s)
    moves += companions && companions_move(path, s) ? size_t{2} : size_t{1};
  tape_a_row_ = moves * 2 * function_.hidden_stride();
  if (!path.detach_score && tape_.size() < x.rows() * tape_a_row_)
    tape_.resize(x.rows() * tape_a_row_);
  executor_.for_chunks_with_worker(x.rows(), kRowsAtOnce,
                                   [&](int worker, size_t begin, size_t end) {
                                     block_forward(path, batch, begin, end, x, companions,
                                                   scratch_[static_cast<size_t>(worker)]);
                                   });
}

void ReverseRun::block_forward(const ReversePath& path, uint32_t batch, size_t begin, size_t end,
                               Table& x, Table* companions, Scratch& scratch) {
  const size_t rows = end - begin;
  const size_t own = rows * stride_;
  float* state = scratch.state.data();
  std::copy_n(x.row(begin), own, state);
  if (companions) std::copy_n(companions->row(begin), own, state + own);
  float* tape = path.detach_score ? nullptr : tape_.data() + begin * tape_a_row_;
  for (size_t s = 0; s < path.steps.size(); ++s) {
    if (companions && mixes(path, s)) {
      scale(path.keep, state, own);
      axpy(1 - path.keep, state + own, state, own);
    }
    const size_t moving = companions && companions_move(path, s) ? 2 * rows : rows;
    const size_t size = moving * stride_;
    function_.forward(moving, state, path.levels[s], tape ? tape : scratch.kept.data(),
                      scratch.change.data());
    if (tape) tape += moving * 2 * function_.hidden_stride();
    axpy(static_cast<float>(path.steps[s].drift), scratch.change.data(), state, size);
    if (s + 1 == path.steps.size()) break;
    fill_normals(batch, begin, s, moving, scratch);
    axpy(static_cast<float>(path.steps[s].noise), scratch.normals.data(), state, size);
  }
  std::copy_n(state, own, x.row(begin));
}

void ReverseRun::backward(const ReversePath& path, Table& gradient, Table* companion_gradient) {
  executor_.for_chunks_with_worker(gradient.rows(), kRowsAtOnce,
                                   [&](int worker, size_t begin, size_t end) {
                                     block_backward(path, begin, end, gradient, companion_gradient,
                                                    scratch_[static_cast<size_t>(worker)]);
                                   });
}

void ReverseRun::block_backward(const ReversePath& path, size_t begin, size_t end, Table& gradient,
                                Table* companion_gradient, Scratch& scratch) const {
  const size_t rows = end - begin;
  const size_t own = rows * stride_;
  float* state = scratch.state.data();  // gradients, of x and of the companions
  std::copy_n(gradient.row(begin), own, state);
  std::fill_n(state + own, own, 0.0F);
  size_t tape_end = end * tape_a_row_;
  for (size_t s = path.steps.size(); s-- > 0;) {
    if (!path.detach_score) {
      const size_t moving = companion_gradient && companions_move(path, s) ? 2 * rows : rows;
      tape_end -= moving * 2 * function_.hidden_stride();
      function_.backward(moving, tape_.data() + tape_end, state, scratch.work.data(),
                         scratch.change.data());
      axpy(static_cast<float>(path.steps[s].drift), scratch.change.data(), state, moving * stride_);
    }
    if (companion_gradient && mixes(path, s)) {
      axpy(1 - path.keep, state, state + own, own);
      scale(path.keep, state, own);
    }
  }
  std::copy_n(state, own, gradient.row(begin));
  if (companion_gradient) std::copy_n(state + own, own, companion_gradient->row(begin));
}

}  // namespace divns
