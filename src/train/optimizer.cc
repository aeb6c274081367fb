// SPDX-License-Identifier: Apache-2.0
#include "train/optimizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/safetensors.h"
#include "kernels/adam.h"
#include "kernels/vectors.h"

namespace divns {
namespace {

constexpr size_t kStateRowsPerChunk = 256;
// Rows to ask the caches for ahead of time: each is three rows of memory.
constexpr size_t kStateRowsAhead = 2;

}  // namespace

Optimizer::Optimizer(const OptimizerOptions& options, std::vector<Table*> tables,
                     const Executor& executor)
    : options_(options), executor_(executor), clock_(options.adam) {
  for (Table* table : tables) {
    State& state = states_.emplace_back();
    state.parameters = table;
    if (has_moments()) {
      state.m = Table(table->rows(), table->dim());
      state.v = Table(table->rows(), table->dim());
    }
    if (lags()) state.last_step.assign(table->rows(), 0);
  }
}

void Optimizer::State::prefetch(size_t row) const {
  for (const Table* table : {static_cast<const Table*>(parameters), &m, &v})
    if (table->rows() > 0) prefetch_floats(table->row(row), table->stride());
  if (!last_step.empty()) __builtin_prefetch(&last_step[row]);
}

void Optimizer::bring_up(State& state, size_t row) const {
  if (state.last_step[row] == clock_.step()) return;
  adam_catch_up(clock_.since(state.last_step[row]), state.parameters->row(row), state.m.row(row),
                state.v.row(row), state.m.stride());
  state.last_step[row] = clock_.step();
}

void Optimizer::catch_up(size_t table, std::span<const uint32_t> rows) {
  if (!lags()) return;
  State& state = states_[table];
  executor_.for_chunks(rows.size(), kStateRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
      if (j + kStateRowsAhead < end) state.prefetch(rows[j + kStateRowsAhead]);
      bring_up(state, rows[j]);
    }
  });
}

void Optimizer::catch_up_all() {
  if (!lags()) return;
  for (State& state : states_)
    executor_.for_chunks(state.last_step.size(), kStateRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row) bring_up(state, row);
    });
  clock_.settle();
}

void Optimizer::begin_step() {
  clock_.advance();
  now_ = clock_.current();
}

void Optimizer::move(State& state, size_t row, const float* gradient) const {
  if (options_.kind == OptimizerKind::kSgd) {
    axpy(-static_cast<float>(options_.adam.learning_rate), gradient, state.parameters->row(row),
         state.parameters->stride());
    return;
  }
  adam_step(now_, gradient, state.parameters->row(row), state.m.row(row), state.v.row(row),
            state.m.stride());
  if (lags()) state.last_step[row] = clock_.step();
}

void Optimizer::step_rows(size_t table, std::span<const uint32_t> rows, const Table& gradients) {
  State& state = states_[table];
  executor_.for_chunks(rows.size(), kStateRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
      if (j + kStateRowsAhead < end) {
        state.prefetch(rows[j + kStateRowsAhead]);
        prefetch_floats(gradients.row(j + kStateRowsAhead), gradients.stride());
      }
      move(state, rows[j], gradients.row(j));
    }
  });
}

void Optimizer::step_all(size_t table, const Table& gradients) {
  State& state = states_[table];
  executor_.for_chunks(gradients.rows(), kStateRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) move(state, row, gradients.row(row));
  });
}

void Optimizer::save(TensorWriter& out) const {
  const uint64_t step = clock_.step();
  out.add_copy("step", std::span(&step, 1));
  if (!has_moments()) return;
  for (size_t t = 0; t < states_.size(); ++t) {
    out.add(fmt::format("m{}", t), std::span(states_[t].m.data(), states_[t].m.size()));
    out.add(fmt::format("v{}", t), std::span(states_[t].v.data(), states_[t].v.size()));
  }
}

void Optimizer::load(const TensorReader& in) {
  uint64_t step = 0;
  in.read("step", std::span(&step, 1));
  clock_.restart_at(step);
  for (size_t t = 0; t < states_.size(); ++t) {
    State& state = states_[t];
    std::fill(state.last_step.begin(), state.last_step.end(), step);
    if (!has_moments()) continue;
    in.read(fmt::format("m{}", t), std::span(state.m.data(), state.m.size()));
    in.read(fmt::format("v{}", t), std::span(state.v.data(), state.v.size()));
  }
}

}  // namespace divns
