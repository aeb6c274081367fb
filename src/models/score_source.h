// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/table.h"
#include "divns/vectors.h"

namespace divns {

// Scores that are not inner products of short vectors: a model that knows those of every item for a
// block of users.
class ScoreSource {
 public:
  virtual ~ScoreSource() = default;
  virtual uint32_t users() const = 0;
  virtual uint32_t items() const = 0;
  // Row n of `scores` (dim() == items(), at least users.size() rows) takes the scores of users[n];
  // what was there before is overwritten. A row depends neither on the rows beside it nor on
  // threads, and calls may run side by side.
  virtual void score(std::span<const uint32_t> users, Table& scores) const = 0;
};

// What ranks the items for a user: inner products of vectors, or a source of scores where a model
// has no vectors.
struct Scorer {
  VectorTable users;
  VectorTable items;
  const ScoreSource* source = nullptr;  // set: the two tables are empty

  bool has_vectors() const { return source == nullptr; }
};

}  // namespace divns
