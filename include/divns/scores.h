// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "divns/table.h"
#include "divns/vectors.h"

namespace divns {

// Scores of a model without vectors: computes the scores of all items for a block of users.
class ScoreSource {
 public:
  virtual ~ScoreSource() = default;
  virtual uint32_t users() const = 0;
  virtual uint32_t items() const = 0;
  // Writes the scores of users[n] to row n of `scores` (dim() == items(), at least users.size()
  // rows). A row does not depend on other rows or on threads. Calls may run in parallel.
  virtual void score(std::span<const uint32_t> users, Table& scores) const = 0;
};

// What ranks the items for a user: inner products of vectors, or a score source for models without
// vectors.
struct Scorer {
  VectorTable users;
  VectorTable items;
  const ScoreSource* source = nullptr;  // if set, the two tables are empty

  bool has_vectors() const { return source == nullptr; }
};

}  // namespace divns
