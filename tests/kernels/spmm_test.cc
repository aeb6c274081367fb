// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/bfloat16.h"
#include "numerics/half_table.h"
#include "support/tables.h"

namespace divns {
namespace {

using testing::random_table;

// Rows of degree 0, 1, 2, ... and one longer than what the kernel takes together.
struct Graph {
  static constexpr uint32_t kRows = 24;
  static constexpr uint32_t kColumns = 1500;
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> columns;
  std::vector<float> weights;
  std::vector<float> row_scale;

  Graph() {
    Draws draws = Random(3, "graph").draws();
    for (uint32_t r = 0; r < kRows; ++r) {
      const uint32_t degree = r == 7 ? 1300 : r;
      for (uint32_t e = 0; e < degree; ++e) {
        columns.push_back(draws.below(kColumns));
        weights.push_back(draws.uniform_float());
      }
      offsets.push_back(columns.size());
      row_scale.push_back(draws.uniform_float());
    }
  }
  SpmmProblem problem(const Table& source) const {
    return {.offsets = offsets.data(),
            .columns = columns.data(),
            .weights = weights.data(),
            .row_scale = row_scale.data(),
            .source = source.view()};
  }
};

HalfTable half_of(const Table& table) {
  HalfTable half(table.rows(), table.dim());
  round_to_pairs(1, table.data(), table.size(), half.data());
  return half;
}

// The results of one product, by the kernel or by the plain loop.
struct Results {
  Table sums, out, wide;
  HalfTable half;

  explicit Results(uint32_t dim)
      : sums(Graph::kRows, dim),
        out(Graph::kRows, dim),
        wide(Graph::kRows, dim),
        half(Graph::kRows, dim) {}
};

// Which results a product is asked for.
struct Asked {
  bool sums = false;
  bool out = true;
  bool half = false;
};

template <class Product>
Results run(Product&& product, SpmmProblem problem, const std::vector<uint32_t>& rows, Asked asked,
            std::vector<SpmmAddend> addends) {
  Results results(problem.source.dim);
  for (SpmmAddend& addend : addends)
    if (addend.half_rows != nullptr) addend.wide = results.wide.data();
  problem.addends = addends;
  if (asked.sums) problem.sums = results.sums.data();
  if (asked.out) problem.out = results.out.data();
  if (asked.half) problem.half_out = results.half.data();
  if (rows.empty())
    product(problem, nullptr, 2, Graph::kRows - 2);
  else
    product(problem, rows.data(), 0, rows.size());
  return results;
}

// Up to 1300 terms: a few millionths of the sum.
void expect_near(const Table& a, const Table& b) {
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a.data()[i], b.data()[i], 3e-5 + 3e-6 * std::abs(double{b.data()[i]})) << i;
}

void expect_agreement(const SpmmProblem& problem, const std::vector<uint32_t>& rows, Asked asked,
                      const std::vector<SpmmAddend>& addends) {
  const Results fast = run(spmm_rows, problem, rows, asked, addends);
  const Results plain = run(reference::spmm_rows, problem, rows, asked, addends);
  expect_near(fast.sums, plain.sums);
  expect_near(fast.out, plain.out);
  expect_near(fast.wide, plain.wide);
  if (!asked.half) return;
  // A value next to the middle of two words may go either way, by one unit of the last of its
  // eight bits.
  for (size_t i = 0; i < fast.out.size() / 2; ++i)
    for (const auto column : {reference::even_of_pair, reference::odd_of_pair}) {
      const double a = column(fast.half.data()[i]);
      EXPECT_NEAR(a, column(plain.half.data()[i]), std::abs(a) / 100 + 1e-5) << i;
    }
}

TEST(Spmm, AgreesWithThePlainLoopOnAllAndOnChosenRows) {
  const Graph graph;
  for (const uint32_t dim : {8U, 20U, 64U, 80U}) {
    const Table source = random_table(Graph::kColumns, dim, dim);
    SpmmProblem problem = graph.problem(source);
    const HalfTable half = half_of(source);
    for (const uint32_t* read : {static_cast<const uint32_t*>(nullptr), half.data()}) {
      problem.half_source = read;
      for (const auto& rows : {std::vector<uint32_t>{}, {7, 0, 20, 3}}) {
        expect_agreement(problem, rows, {}, {});
        expect_agreement(problem, rows, {.sums = true}, {});
        if (read == nullptr) continue;
        expect_agreement(problem, rows, {.out = false, .half = true}, {});
        expect_agreement(problem, rows, {.half = true}, {});
      }
    }
  }
}

TEST(Spmm, AddsRowsOfOtherTablesToTheSum) {
  const Graph graph;
  for (const uint32_t dim : {24U, 64U}) {
    const Table source = random_table(Graph::kColumns, dim, dim);
    const Table by_row = random_table(Graph::kRows, dim, 2);
    const HalfTable half_by_row = half_of(by_row);
    const HalfTable half = half_of(source);
    SpmmProblem problem = graph.problem(source);
    problem.sum_weight = 0.25F;
    std::vector<SpmmAddend> addends = {{.rows = by_row.data(), .weight = 0.5F},
                                       {.rows = source.data(), .weight = -2}};
    for (const auto& rows : {std::vector<uint32_t>{}, {7, 0, 20, 3}}) {
      problem.half_source = nullptr;
      expect_agreement(problem, rows, {}, addends);
      expect_agreement(problem, rows, {.sums = true}, addends);
      problem.half_source = half.data();
      auto with_half = addends;
      with_half.push_back({.half_rows = half_by_row.data(), .weight = 3});
      expect_agreement(problem, rows, {.sums = true}, with_half);
      expect_agreement(problem, rows, {.out = false, .half = true}, with_half);
    }
  }
}

// As gradients of a batch are added: a row for some of the rows, the others are plain sums.
TEST(Spmm, AddsRowsWhereThereAreSome) {
  const Graph graph;
  const Table source = random_table(Graph::kColumns, 64, 1);
  const HalfTable half = half_of(source);
  const Table some = random_table(6, 64, 3);
  std::vector<uint32_t> slots(Graph::kRows, kNoSlot);
  for (uint32_t s = 0; s < 6; ++s) slots[s * 4] = s;
  SpmmProblem problem = graph.problem(source);
  problem.addend_slots = slots.data();
  const std::vector<SpmmAddend> addends = {{.rows = some.data(), .weight = -2},
                                           {.rows = some.data(), .weight = 0.5F}};
  for (const float sum_weight : {1.0F, 0.25F}) {
    problem.sum_weight = sum_weight;
    for (const auto& rows : {std::vector<uint32_t>{}, {8, 7, 0, 20, 3}}) {
      problem.half_source = nullptr;
      expect_agreement(problem, rows, {}, addends);
      expect_agreement(problem, rows, {.sums = true}, addends);
      problem.half_source = half.data();
      expect_agreement(problem, rows, {}, addends);
      expect_agreement(problem, rows, {.out = false, .half = true}, addends);
    }
  }
}

TEST(Spmm, SkipsColumnsWithoutASourceRow) {
  const Graph graph;
  const Table source = random_table(300, 64, 1);
  std::vector<uint32_t> slots(Graph::kColumns, kNoSlot);
  for (uint32_t s = 0; s < 300; ++s) slots[s * 5] = s;
  SpmmProblem problem = graph.problem(source);
  problem.slots = slots.data();
  expect_agreement(problem, {}, {}, {});
  expect_agreement(problem, {7, 0, 20, 3}, {}, {});
  const HalfTable half = half_of(source);
  problem.half_source = half.data();
  expect_agreement(problem, {}, {.out = false, .half = true}, {});
}

}  // namespace
}  // namespace divns
