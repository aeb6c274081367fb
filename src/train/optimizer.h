// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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
// stepped lag behind until catch_up, which must come before they are read.
class Optimizer {
 public:
  Optimizer(const OptimizerOptions& options, std::vector<Table*> tables, const Executor& executor);

  // Makes these rows of a table (each named once) what dense Adam would have made of them by now.
  void catch_up(size_t table, std::span<const uint32_t> rows);
  void catch_up_all();

  // A step is begin_step and then, for each table, at most one of the others.
  void begin_step();
  // Row j of the gradients belongs to rows[j], which must have been current before the step.
  void step_rows(size_t table, std::span<const uint32_t> rows, const Table& gradients);
  // A gradient for every row; all must have been current before the step.
  void step_all(size_t table, const Table& gradients);
  uint64_t steps() const { return clock_.step(); }

  // All rows must be current.
  void save(TensorWriter& out) const;
  void load(const TensorReader& in);

 private:
  struct State {
    Table* parameters;
    Table m;
    Table v;
    std::vector<uint64_t> last_step;  // of each row, for dense Adam

    void prefetch(size_t row) const;
  };
  bool has_moments() const { return options_.kind != OptimizerKind::kSgd; }
  bool lags() const { return options_.kind == OptimizerKind::kAdam; }
  void move(State& state, size_t row, const float* gradient) const;
  void bring_up(State& state, size_t row) const;

  OptimizerOptions options_;
  const Executor& executor_;
  AdamClock clock_;
  AdamStep now_;
  std::vector<State> states_;
};

}  // namespace divns
