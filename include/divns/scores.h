// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/interactions.h"
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

// Scores by item-item weights B, items x items: those of a user are the sum of the rows of B for
// the user's items, s(u, j) = sum over i in I_u of B_ij, added in ascending order of i.
class ItemWeightScores final : public ScoreSource {
 public:
  // What the arguments show must live as long as the object.
  ItemWeightScores(const Interactions& histories, const VectorTable& weights);
  // B as tables of some columns each, from left to right.
  ItemWeightScores(const Interactions& histories, std::vector<VectorTable> panels);

  uint32_t users() const override { return histories_.users(); }
  uint32_t items() const override { return histories_.item_count; }
  void score(std::span<const uint32_t> users, Table& scores) const override;

 private:
  Interactions histories_;
  std::vector<VectorTable> panels_;
  std::vector<float> ones_;  // as many as the longest history has items
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
