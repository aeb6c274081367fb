// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "divns/parallel.h"
#include "divns/table.h"
#include "numerics/half_table.h"
#include "train/adam_clock.h"
#include "train/training_state.h"

namespace divns {

class TensorReader;
class TensorWriter;

enum class OptimizerKind {
  kAdam,      // dense Adam: rows without gradient still move by their momentum
  kLazyAdam,  // rows without gradient do not move, and their moments do not change
  kSgd,
};

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::kAdam;
  double learning_rate = 1e-3;
  AdamOptions adam = {};
  RateSchedule schedule = {};
};

// Updates tables of parameters, which share one step counter. Dense Adam is computed lazily: a row
// without gradient is not touched until catch_up(), which must be called before it is read. If it
// is known when a row will be read next (ReadPlan), step_row() advances the row to that read, and
// it needs no catch-up.
class Optimizer {
 public:
  // `state`, if there is one, holds the moments of table 0 (users) and table 1 (items) to continue
  // with, and their step. It is moved from.
  Optimizer(const OptimizerOptions& options, std::vector<Table*> tables, const Executor& executor,
            TrainingState* state = nullptr);

  // Call when all rows are current; catch_up_all() must follow after this many steps.
  void begin_epoch(uint64_t steps);
  // Whether rows without gradient move, so that rows can lag behind.
  bool lags() const { return options_.kind == OptimizerKind::kAdam; }

  // Brings these rows of a table (each listed once) to the current step.
  void catch_up(size_t table, std::span<const uint32_t> rows);
  void catch_up_all();
  // Advances row i of a table to reads[i] steps after the start of the epoch, with zero gradients.
  // From then until the end of the epoch the rows of the table may only be moved by step_row().
  void foresee_all(size_t table, std::span<const uint32_t> reads);

  // A step is begin_step() and then, for each table, at most one of step_rows(), step_all() or one
  // step_row() per row.
  void begin_step();
  // Row j of the gradients belongs to rows[j], which must be current before the step.
  void step_rows(size_t table, std::span<const uint32_t> rows, const Table& gradients);
  // Steps one row and advances it to next_read steps after the start of the epoch. From any thread.
  void step_row(size_t table, size_t row, const float* gradient, uint32_t next_read) {
    move(states_[table], row, gradient, epoch_start_ + next_read);
  }
  // Prefetches a row that will be stepped soon.
  void prefetch(size_t table, size_t row) const { states_[table].prefetch(row); }
  // A gradient for every row of these tables, in one loop over the tables in this order. All rows
  // must be current before the step.
  struct WholeTable {
    size_t table;
    const Table* gradients;
    HalfCopy copy = {};  // written with the moved rows, if there is one
  };
  void step_all(std::initializer_list<WholeTable> tables);
  uint64_t steps() const { return clock_.step(); }

  // Call when all rows are current: steps without gradients, after which they are current again.
  void idle(uint64_t steps);

  // The parameters of a table and, if there are any, their two moments. Call when all rows are
  // current. After they were written, continue_at() says which step they are current at.
  std::vector<Table*> state_of(size_t table);
  void continue_at(uint64_t step);
  // Hands over the rows of a table and their moments. No step may follow.
  void release(size_t table, RowState& state);

  // Call when all rows are current.
  void save(TensorWriter& out) const;
  void load(const TensorReader& in);

 private:
  struct State {
    Table* parameters;
    Table m;
    Table v;
    // For dense Adam: the step that a row has been advanced to. For rows that step_row() moves, it
    // is set to the end of the epoch once, before the epoch: eight entries share a cache line, and
    // threads that write entries of different rows would slow each other down.
    std::vector<uint64_t> last_step;
    // The step that all rows have been advanced to, even if last_step says less. It shows that rows
    // are current without a visit to each of them.
    uint64_t all_moved_to = 0;

    // Prefetch a row and its moments; the second one its entry of last_step too.
    void prefetch(size_t row) const;
    void prefetch_with_step(size_t row) const;
  };
  bool has_moments() const { return options_.kind != OptimizerKind::kSgd; }
  void move(State& state, size_t row, const float* gradient, uint64_t to) const;
  void bring_to(State& state, size_t row, uint64_t step) const;

  OptimizerOptions options_;
  const Executor& executor_;
  AdamClock clock_;
  AdamStep now_;
  uint64_t epoch_start_ = 0;
  uint64_t epoch_end_ = 0;
  std::vector<State> states_;
};

}  // namespace divns
