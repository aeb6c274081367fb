// SPDX-License-Identifier: Apache-2.0
// A recommender: parameters (one row per user and one per item), L + 1 tables of hop vectors
// computed from them, and their mean (the pooled vectors). forward() computes vectors from
// parameters, backward() maps gradients of vectors to gradients of parameters.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/slots.h"
#include "divns/embedding_view.h"
#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/table.h"
#include "numerics/half_table.h"

namespace divns {

class Options;
struct UserBlocks;

struct ModelContext {
  Interactions train;
  const Executor& executor;
  uint32_t dim = 64;
  bool single_hops = true;  // whether vectors of single hops will be read
  // For a training over user blocks: `train` has the users of this rank. It outlives the model.
  const UserBlocks* blocks = nullptr;
};

// Rows to compute: all of them, or some, each listed once.
struct RowSelection {
  bool all = true;
  std::span<const uint32_t> rows;
};

// Gradients of a batch for one side (users or items): some rows, each listed once. Row j of every
// table belongs to rows[j].
struct RowGradients {
  std::span<const uint32_t> rows;
  std::span<const uint32_t> slots;  // for every row of the side: its j, or kNoSlot
  Table pooled;                     // dLoss / d pooled vector
  Table ego;                        // dLoss / d hop-0 vector, without the part through the pool
  // dLoss / d hop-l vector, without the pool; empty unless negatives differ between hops.
  std::vector<Table> hops;
};

// Gradients of one side's parameters: for the listed rows, or for all of them.
struct ParameterGradients {
  bool all = false;
  std::span<const uint32_t> rows;  // row j of `values` belongs to rows[j], unless all
  const Table* values = nullptr;
  // A copy of the parameters that forward() reads. The step that moves the parameters writes it,
  // while the rows are in the cache. Only with `all`.
  HalfCopy copy = {};
};

class Model {
 public:
  virtual ~Model() = default;

  // Option names begin with the name of the model, as in "lightgcn.layers".
  virtual void declare(Options& /*options*/) {}
  // Before start(): parameters to continue with. Only for models whose start() keeps them.
  void adopt(Table users, Table items) {
    users_ = std::move(users);
    items_ = std::move(items);
  }
  // Called once, when every option has its value: allocates the tables, all zero.
  virtual void start(const ModelContext& context) = 0;

  virtual int hops() const = 0;
  // For models with several hops: whether ModelContext::blocks is supported with these options.
  virtual bool fits_user_blocks() const { return false; }
  // The parameters, which are the vectors of hop 0.
  Table& user_parameters() { return users_; }
  Table& item_parameters() { return items_; }
  const Table& user_parameters() const { return users_; }
  const Table& item_parameters() const { return items_; }

  // Must be called after the parameters were written by anything other than the step that follows
  // backward(): a model may keep copies of them (ParameterGradients::copy).
  virtual void parameters_written() {}
  // Computes the pooled vectors of these rows from the parameters, and their hop vectors if the
  // context says that they are read. Other rows may be stale.
  virtual void forward(const RowSelection& users, const RowSelection& items) = 0;
  virtual EmbeddingView view() const = 0;
  // The results stay valid until the next call; what view() showed need not. Where hops() is 1,
  // `ego` is not looked at: the gradient of a pooled vector is that of the parameter.
  virtual void backward(const RowGradients& users, const RowGradients& items,
                        ParameterGradients& user_result, ParameterGradients& item_result) = 0;

 protected:
  Table users_;
  Table items_;
};

}  // namespace divns
