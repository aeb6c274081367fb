// SPDX-License-Identifier: Apache-2.0
#include "train/optimizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "divns/tensors.h"
#include "kernels/adam.h"
#include "kernels/vectors.h"

namespace divns {
namespace {

constexpr size_t kStateRowsPerChunk = 256;
// How many rows ahead to prefetch; each consists of the parameters and two moments.
constexpr size_t kStateRowsAhead = 4;

}  // namespace

Optimizer::Optimizer(const OptimizerOptions& options, std::vector<Table*> tables,
                     const Executor& executor, TrainingState* state)
    : options_(options),
      executor_(executor),
      clock_(options.learning_rate, options.adam, options.schedule) {
  for (Table* table : tables) {
    State& now = states_.emplace_back();
    now.parameters = table;
    if (state != nullptr) {
      RowState& rows = states_.size() == 1 ? state->users : state->items;
      now.m = std::move(rows.m);
      now.v = std::move(rows.v);
      now.all_moved_to = state->steps;
    } else if (has_moments()) {
      now.m = Table(table->rows(), table->dim());
      now.v = Table(table->rows(), table->dim());
    }
    if (lags()) now.last_step.assign(table->rows(), 0);
  }
  if (state != nullptr) clock_.restart_at(state->steps);
}

void Optimizer::State::prefetch(size_t row) const {
  for (const Table* table : {static_cast<const Table*>(parameters), &m, &v})
    if (table->rows() > 0) prefetch_floats_to_write(table->row(row), table->stride());
}

void Optimizer::State::prefetch_with_step(size_t row) const {
  prefetch(row);
  if (!last_step.empty()) __builtin_prefetch(&last_step[row], 1);
}

void Optimizer::bring_to(State& state, size_t row, uint64_t step) const {
  const uint64_t from = std::max(state.last_step[row], state.all_moved_to);
  if (from == step) return;
  adam_catch_up(clock_.between(from, step), state.parameters->row(row), state.m.row(row),
                state.v.row(row), state.m.stride());
  state.last_step[row] = step;
}

void Optimizer::begin_epoch(uint64_t steps) {
  epoch_start_ = clock_.step();
  epoch_end_ = epoch_start_ + steps;
  clock_.set_horizon(epoch_end_);
}

void Optimizer::catch_up(size_t table, std::span<const uint32_t> rows) {
  if (!lags()) return;
  State& state = states_[table];
  if (state.all_moved_to == clock_.step()) return;
  executor_.for_chunks(rows.size(), kStateRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
      if (j + kStateRowsAhead < end) state.prefetch_with_step(rows[j + kStateRowsAhead]);
      bring_to(state, rows[j], clock_.step());
    }
  });
}

void Optimizer::catch_up_all() {
  if (!lags()) return;
  for (State& state : states_) {
    if (state.all_moved_to == clock_.step()) continue;
    executor_.for_chunks(state.last_step.size(), kStateRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row) bring_to(state, row, clock_.step());
    });
    state.all_moved_to = clock_.step();
  }
  clock_.settle();
}

void Optimizer::foresee_all(size_t table, std::span<const uint32_t> reads) {
  State& state = states_[table];
  executor_.for_chunks(reads.size(), kStateRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      bring_to(state, row, epoch_start_ + reads[row]);
      state.last_step[row] = epoch_end_;
    }
  });
}

void Optimizer::begin_step() {
  clock_.advance();
  now_ = clock_.current();
}

void Optimizer::move(State& state, size_t row, const float* gradient, uint64_t to) const {
  float* parameters = state.parameters->row(row);
  const size_t width = state.parameters->stride();
  if (options_.kind == OptimizerKind::kSgd) {
    const double rate = options_.learning_rate * options_.schedule.factor(clock_.step());
    axpy(-static_cast<float>(rate), gradient, parameters, width);
    return;
  }
  if (to > clock_.step())
    adam_step_then_catch_up(now_, clock_.between(clock_.step(), to), gradient, parameters,
                            state.m.row(row), state.v.row(row), width);
  else
    adam_step(now_, gradient, parameters, state.m.row(row), state.v.row(row), width);
}

void Optimizer::step_rows(size_t table, std::span<const uint32_t> rows, const Table& gradients) {
  State& state = states_[table];
  executor_.for_chunks(rows.size(), kStateRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
      if (j + kStateRowsAhead < end) {
        state.prefetch_with_step(rows[j + kStateRowsAhead]);
        prefetch_floats(gradients.row(j + kStateRowsAhead), gradients.stride());
      }
      move(state, rows[j], gradients.row(j), clock_.step());
      if (lags()) state.last_step[rows[j]] = clock_.step();
    }
  });
}

void Optimizer::step_all(std::initializer_list<WholeTable> tables) {
  const auto chunks_of = [](const WholeTable& whole) {
    return (whole.gradients->rows() + kStateRowsPerChunk - 1) / kStateRowsPerChunk;
  };
  size_t chunks = 0;
  for (const WholeTable& whole : tables) chunks += chunks_of(whole);
  executor_.run(chunks, [&](int, size_t chunk) {
    const WholeTable* whole = tables.begin();
    for (; chunk >= chunks_of(*whole); ++whole) chunk -= chunks_of(*whole);
    const size_t begin = chunk * kStateRowsPerChunk;
    const size_t end = std::min<size_t>(whole->gradients->rows(), begin + kStateRowsPerChunk);
    State& state = states_[whole->table];
    for (size_t row = begin; row < end; ++row) {
      move(state, row, whole->gradients->row(row), clock_.step());
      if (whole->copy.rows != nullptr)
        whole->copy.write(row, state.parameters->row(row), state.parameters->stride());
    }
  });
  for (const WholeTable& whole : tables) states_[whole.table].all_moved_to = clock_.step();
}

void Optimizer::idle(uint64_t steps) {
  if (steps == 0) return;
  begin_epoch(steps);
  for (uint64_t s = 0; s < steps; ++s) begin_step();
  catch_up_all();
}

std::vector<Table*> Optimizer::state_of(size_t table) {
  State& state = states_[table];
  if (!has_moments()) return {state.parameters};
  return {state.parameters, &state.m, &state.v};
}

void Optimizer::continue_at(uint64_t step) {
  clock_.restart_at(step);
  for (State& state : states_) {
    std::fill(state.last_step.begin(), state.last_step.end(), step);
    state.all_moved_to = step;
  }
}

void Optimizer::release(size_t table, RowState& state) {
  state.parameters = std::move(*states_[table].parameters);
  state.m = std::move(states_[table].m);
  state.v = std::move(states_[table].v);
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
  continue_at(step);
  for (size_t t = 0; t < states_.size() && has_moments(); ++t) {
    State& state = states_[t];
    in.read(fmt::format("m{}", t), std::span(state.m.data(), state.m.size()));
    in.read(fmt::format("v{}", t), std::span(state.v.data(), state.v.size()));
  }
}

}  // namespace divns
