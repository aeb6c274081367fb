// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/table.h"
#include "train/adam_clock.h"

namespace divns {

class TensorReader;
class TensorWriter;

enum class OptimizerKind {
  kAdam,      // dense Adam: rows without gradient still move by their momentum
  kLazyAdam,  // rows without gradient stay as they are, moments and all
  kSgd,
};

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::kAdam;
  AdamOptions adam;
};

// Moves tables of parameters, all by one clock. Dense Adam is computed lazily: rows that were not
// stepped lag behind until catch_up, which must come before they are read. Or early, where it is
// known beforehand when a row will be read next: it is then brought to that time by the pass that
// steps it, and nobody has to visit it in between.
class Optimizer {
 public:
  Optimizer(const OptimizerOptions& options, std::vector<Table*> tables, const Executor& executor);

  // All rows are current, and catch_up_all will follow after so many steps.
  void begin_epoch(uint64_t steps);
  // Whether rows without gradient move.
  bool lags() const { return options_.kind == OptimizerKind::kAdam; }

  // Makes these rows of a table (each named once) what dense Adam would have made of them by now.
  void catch_up(size_t table, std::span<const uint32_t> rows);
  void catch_up_all();
  // Makes row i of a table what it will be reads[i] steps after the epoch began, without gradient.
  // From then on the rows of the table are the caller's to step (step_row), each up to the end of
  // the epoch.
  void foresee_all(size_t table, std::span<const uint32_t> reads);

  // A step is begin_step and then, for each table, at most one of the others; step_row once a row.
  void begin_step();
  // Row j of the gradients belongs to rows[j], which must have been current before the step.
  void step_rows(size_t table, std::span<const uint32_t> rows, const Table& gradients);
  // One row, by any thread: it becomes what it will be next_read steps after the epoch began.
  void step_row(size_t table, size_t row, const float* gradient, uint32_t next_read) {
    move(states_[table], row, gradient, epoch_start_ + next_read);
  }
  // Asks the caches for a row that will be stepped soon.
  void prefetch(size_t table, size_t row) const { states_[table].prefetch(row); }
  // A gradient for every row of these tables, in one loop that takes the tables in this order; all
  // rows must have been current before the step.
  struct WholeTable {
    size_t table;
    const Table* gradients;
  };
  // Where rows have been moved: moved(table, begin, end), by any thread.
  using Moved = std::function<void(size_t table, size_t begin, size_t end)>;
  void step_all(std::initializer_list<WholeTable> tables, const Moved& moved);
  uint64_t steps() const { return clock_.step(); }

  // All rows must be current.
  void save(TensorWriter& out) const;
  void load(const TensorReader& in);

 private:
  struct State {
    Table* parameters;
    Table m;
    Table v;
    // Up to which step a row has been moved, for dense Adam. Rows that are foreseen are taken for
    // what they will be at the end: eight of these share a cache line, and threads that step rows
    // of their own would wait for each other's lines.
    std::vector<uint64_t> last_step;
    // Up to which step all rows have been moved, whatever last_step says: rows need not be visited
    // to find out that they are current.
    uint64_t all_moved_to = 0;

    // Asks the caches for a row and its moments; the second, for its last step as well.
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
