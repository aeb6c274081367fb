// SPDX-License-Identifier: Apache-2.0
// What a recommender is: parameters (one row a user, one row an item), L + 1 tables of hop vectors
// made from them, and their pool. forward() makes vectors from parameters, backward() takes
// gradients of vectors back to the parameters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/embedding_view.h"
#include "base/parallel.h"
#include "base/table.h"
#include "divns/interactions.h"

namespace divns {

class Options;

struct ModelContext {
  Interactions train;
  const Executor& executor;
  uint32_t dim = 64;
  bool single_hops = true;  // whether somebody will look at the vectors of single hops
};

// Rows to compute: all of them, or some, each named once.
struct RowSelection {
  bool all = true;
  std::span<const uint32_t> rows;
};

// What a batch says about one side (users or items): gradients for some rows, each named once. Row
// j of every table belongs to rows[j].
struct RowGradients {
  std::span<const uint32_t> rows;
  std::span<const uint32_t> slots;  // for every row of the side: its j, or kNoSlot
  Table pooled;                     // dLoss / d pooled vector
  Table ego;                        // dLoss / d hop-0 vector, beyond what comes through the pool
  // dLoss / d hop-l vector, beyond the pool; empty unless some negative differs from hop to hop.
  std::vector<Table> hops;
};

// Gradients of one side's parameters: for the rows named, or for all of them.
struct ParameterGradients {
  bool all = false;
  std::span<const uint32_t> rows;  // row j of `values` belongs to rows[j], unless all
  const Table* values = nullptr;
};

class Model {
 public:
  virtual ~Model() = default;

  // Names begin with that of the model, as in "lightgcn.layers".
  virtual void declare(Options& /*options*/) {}
  // Once, when every option has its value: makes the tables, all zero.
  virtual void start(const ModelContext& context) = 0;

  virtual int hops() const = 0;
  // The parameters, which are the vectors of hop 0.
  Table& user_parameters() { return users_; }
  Table& item_parameters() { return items_; }
  const Table& user_parameters() const { return users_; }
  const Table& item_parameters() const { return items_; }

  // Rows [begin, end) of one of the parameter tables have been moved and are still at hand: a
  // chance to make what forward() will read of them. By any thread.
  virtual void prepare(const Table& /*parameters*/, size_t /*begin*/, size_t /*end*/) {}
  // Makes the pooled vectors of these rows, and their hop vectors if somebody looks at them, agree
  // with the parameters. Others may be stale. `prepared`: all rows of both tables have been through
  // prepare() since they and backward() last changed.
  virtual void forward(const RowSelection& users, const RowSelection& items,
                       bool prepared = false) = 0;
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
