// SPDX-License-Identifier: Apache-2.0
#include "samplers/scone/score.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/activations.h"

namespace divns {
namespace {

constexpr size_t kScoreRowsPerChunk = 64;

}  // namespace

void noise_features(double sigma, std::span<float> out) {
  const size_t half = out.size() / 2;
  for (size_t k = 0; k < half; ++k) {
    const double power = half > 1 ? static_cast<double>(k) / static_cast<double>(half - 1) : 0.0;
    const double angle = sigma * std::pow(1e4, -power);
    out[k] = static_cast<float>(std::sin(angle));
    out[half + k] = static_cast<float>(std::cos(angle));
  }
  if (out.size() % 2 == 1) out.back() = 0;
}

// Intermediate results of a pass over training rows, one row each.
struct ScoreFunction::Rows {
  Table features;
  Table time;
  Table x;
  Table first;
  Table second;
  Table score_slopes;  // dLoss/dscore
  // dLoss by the arguments of the tanh functions.
  Table time_slopes;
  Table first_slopes;
  Table second_slopes;
  std::vector<double> losses;

  Rows(uint32_t dim, uint32_t hidden)
      : features(0, dim),
        time(0, kTimeWidths * dim),
        x(0, dim),
        first(0, hidden),
        second(0, hidden),
        score_slopes(0, dim),
        time_slopes(0, kTimeWidths * dim),
        first_slopes(0, hidden),
        second_slopes(0, hidden) {}

  void resize(uint32_t rows) {
    for (Table* table : {&features, &time, &x, &first, &second, &score_slopes, &time_slopes,
                         &first_slopes, &second_slopes})
      table->resize_rows(rows);
    losses.resize(rows);
  }
};

ScoreFunction::ScoreFunction(uint32_t dim, uint32_t hidden, const Executor& executor)
    : time(dim, kTimeWidths * dim),
      first(dim, hidden),
      second(hidden, hidden),
      second_time(kTimeWidths * dim, hidden),
      score(hidden, dim),
      score_time(kTimeWidths * dim, dim),
      executor_(executor),
      rows_(std::make_unique<Rows>(dim, hidden)) {}

ScoreFunction::~ScoreFunction() = default;

ScoreFunction::AtLevel ScoreFunction::at_level(double sigma) const {
  AlignedVector<float> features(padded(dim()));
  noise_features(sigma, std::span(features).first(dim()));
  AlignedVector<float> hidden(time.bias.stride());
  time.apply(1, features.data(), features.size(), hidden.data(), hidden.size());
  tanh_biased(time.bias.row(0), hidden.data(), hidden.size());
  AtLevel level{{second.bias.row(0), second.bias.row(0) + second.bias.stride()},
                {score.bias.row(0), score.bias.row(0) + score.bias.stride()}};
  second_time.apply(1, hidden.data(), hidden.size(), level.second.data(), 0, true);
  score_time.apply(1, hidden.data(), hidden.size(), level.score.data(), 0, true);
  return level;
}

void ScoreFunction::forward(size_t rows, const float* x, const AtLevel& level, float* kept,
                            float* out) const {
  const size_t step = padded(dim());
  const size_t width = hidden_stride();
  float* first_out = kept;
  float* second_out = kept + rows * width;
  first.apply(rows, x, step, first_out, width);
  for (size_t r = 0; r < rows; ++r) tanh_biased(first.bias.row(0), first_out + r * width, width);
  second.apply(rows, first_out, width, second_out, width);
  for (size_t r = 0; r < rows; ++r) tanh_biased(level.second.data(), second_out + r * width, width);
  for (size_t r = 0; r < rows; ++r) std::copy_n(level.score.data(), step, out + r * step);
  score.apply(rows, second_out, width, out, step, true);
}

void ScoreFunction::backward(size_t rows, const float* kept, const float* gradient, float* work,
                             float* dx) const {
  const size_t step = padded(dim());
  const size_t width = hidden_stride();
  float* by_first = work;
  float* by_second = work + rows * width;
  score.apply_transposed(rows, gradient, step, by_second, width);
  tanh_backward(kept + rows * width, by_second, rows * width);
  second.apply_transposed(rows, by_second, width, by_first, width);
  tanh_backward(kept, by_first, rows * width);
  first.apply_transposed(rows, by_first, width, dx, step);
}

void ScoreFunction::matching_rows(const Table& clean, const Table& noise,
                                  std::span<const double> sigmas, double weight, size_t begin,
                                  size_t end) {
  Rows& t = *rows_;
  const size_t count = end - begin;
  const size_t step = padded(dim());
  const size_t width = hidden_stride();
  const size_t time_step = t.time.stride();
  for (size_t r = begin; r < end; ++r) {
    noise_features(sigmas[r], {t.features.row(r), dim()});
    std::copy_n(clean.row(r), step, t.x.row(r));
    axpy(static_cast<float>(sigmas[r]), noise.row(r), t.x.row(r), step);
  }
  time.apply(count, t.features.row(begin), step, t.time.row(begin), time_step);
  for (size_t r = begin; r < end; ++r) tanh_biased(time.bias.row(0), t.time.row(r), time_step);
  first.apply(count, t.x.row(begin), step, t.first.row(begin), width);
  for (size_t r = begin; r < end; ++r) tanh_biased(first.bias.row(0), t.first.row(r), width);
  second.apply(count, t.first.row(begin), width, t.second.row(begin), width);
  second_time.apply(count, t.time.row(begin), time_step, t.second.row(begin), width, true);
  for (size_t r = begin; r < end; ++r) tanh_biased(second.bias.row(0), t.second.row(r), width);
  float* slopes = t.score_slopes.row(begin);  // the score itself at first
  score.apply(count, t.second.row(begin), width, slopes, step);
  score_time.apply(count, t.time.row(begin), time_step, slopes, step, true);

  for (size_t r = begin; r < end; ++r) {
    float* row = t.score_slopes.row(r);
    double squares = 0;
    for (uint32_t k = 0; k < dim(); ++k) {
      const double value = double{row[k]} + double{score.bias.row(0)[k]};
      const double error = sigmas[r] * value + double{noise.row(r)[k]};
      squares += error * error;
      row[k] = static_cast<float>(2 * weight * sigmas[r] * error);
    }
    t.losses[r] = weight * squares;
  }
  score.apply_transposed(count, slopes, step, t.second_slopes.row(begin), width);
  tanh_backward(t.second.row(begin), t.second_slopes.row(begin), count * width);
  second.apply_transposed(count, t.second_slopes.row(begin), width, t.first_slopes.row(begin),
                          width);
  tanh_backward(t.first.row(begin), t.first_slopes.row(begin), count * width);
  score_time.apply_transposed(count, slopes, step, t.time_slopes.row(begin), time_step);
  second_time.apply_transposed(count, t.second_slopes.row(begin), width, t.time_slopes.row(begin),
                               time_step, true);
  tanh_backward(t.time.row(begin), t.time_slopes.row(begin), count * time_step);
}

double ScoreFunction::matching_loss(const Table& clean, const Table& noise,
                                    std::span<const double> sigmas, double weight, bool add) {
  rows_->resize(static_cast<uint32_t>(sigmas.size()));
  executor_.for_chunks(sigmas.size(), kScoreRowsPerChunk, [&](size_t begin, size_t end) {
    matching_rows(clean, noise, sigmas, weight, begin, end);
  });
  struct Task {
    LinearLayer& layer;
    const Table& slopes;
    const Table& inputs;
  };
  const Rows& t = *rows_;
  const Task tasks[] = {{time, t.time_slopes, t.features},  {first, t.first_slopes, t.x},
                        {second, t.second_slopes, t.first}, {second_time, t.second_slopes, t.time},
                        {score, t.score_slopes, t.second},  {score_time, t.score_slopes, t.time}};
  constexpr size_t kOutputs = 24;
  struct Part {
    const Task* task;
    size_t begin;
  };
  std::vector<Part> parts;
  for (const Task& task : tasks)
    for (size_t begin = 0; begin < task.layer.out(); begin += kOutputs)
      parts.push_back({&task, begin});
  executor_.run(parts.size(), [&](int, size_t i) {
    const auto& [task, begin] = parts[i];
    task->layer.weight_gradient_rows(task->slopes, task->inputs, begin,
                                     std::min<size_t>(begin + kOutputs, task->layer.out()), add);
  });
  return std::accumulate(t.losses.begin(), t.losses.end(), 0.0);
}

}  // namespace divns
