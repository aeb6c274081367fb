// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/half_table.h"
#include "kernels/bfloat16.h"
#include "support/tables.h"

namespace divns {
namespace {

using testing::random_table;

// Rows of degree 0, 1, 2, ... and one longer than the kernel's segment.
struct Graph {
  static constexpr uint32_t kRows = 24;
  static constexpr uint32_t kColumns = 1500;
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> columns;
  std::vector<float> row_scale;
  std::vector<float> column_scale;

  Graph() {
    Draws draws = Random(3, "graph").draws();
    for (uint32_t r = 0; r < kRows; ++r) {
      const uint32_t degree = r == 7 ? 1300 : r;
      for (uint32_t e = 0; e < degree; ++e) columns.push_back(draws.below(kColumns));
      offsets.push_back(columns.size());
      row_scale.push_back(draws.uniform_float());
    }
    for (uint32_t c = 0; c < kColumns; ++c) column_scale.push_back(draws.uniform_float());
  }
};

void expect_agreement(const SpmmProblem& problem, const std::vector<uint32_t>& rows,
                      uint32_t stride) {
  SpmmProblem fast = problem;
  SpmmProblem plain = problem;
  Table out_fast(Graph::kRows, stride);
  Table out_plain(Graph::kRows, stride);
  fast.out = out_fast.data();
  plain.out = out_plain.data();
  HalfTable half(Graph::kRows, stride);
  if (problem.half_source != nullptr) fast.half_out = half.data();
  if (rows.empty()) {
    spmm_rows(fast, nullptr, 2, Graph::kRows - 2);
    reference::spmm_rows(plain, nullptr, 2, Graph::kRows - 2);
  } else {
    spmm_rows(fast, rows.data(), 0, rows.size());
    reference::spmm_rows(plain, rows.data(), 0, rows.size());
  }
  for (size_t i = 0; i < out_fast.size(); ++i)
    EXPECT_NEAR(out_fast.data()[i], out_plain.data()[i], 3e-5) << i;
  if (fast.half_out == nullptr) return;
  std::vector<uint16_t> rounded(out_fast.size());
  reference::round_to_bfloat16(out_fast.data(), out_fast.size(), rounded.data());
  EXPECT_TRUE(std::equal(rounded.begin(), rounded.end(), half.data()));
}

HalfTable half_of(const Table& table) {
  HalfTable half(table.rows(), table.dim());
  round_to_bfloat16(table.data(), table.size(), half.data());
  return half;
}

TEST(Spmm, AgreesWithThePlainLoopOnAllAndOnChosenRows) {
  const Graph graph;
  for (const uint32_t dim : {8U, 20U, 64U, 80U}) {
    const Table source = random_table(Graph::kColumns, dim, dim);
    SpmmProblem problem{.offsets = graph.offsets.data(),
                        .columns = graph.columns.data(),
                        .row_scale = graph.row_scale.data(),
                        .column_scale = graph.column_scale.data(),
                        .source = source.view()};
    const HalfTable half = half_of(source);
    for (const uint16_t* read : {static_cast<const uint16_t*>(nullptr), half.data()}) {
      problem.half_source = read;
      expect_agreement(problem, {}, source.stride());
      expect_agreement(problem, {7, 0, 20, 3}, source.stride());
    }
  }
}

TEST(Spmm, SkipsColumnsWithoutASourceRow) {
  const Graph graph;
  const Table source = random_table(300, 64, 1);
  std::vector<uint32_t> slots(Graph::kColumns, kNoSlot);
  for (uint32_t s = 0; s < 300; ++s) slots[s * 5] = s;
  SpmmProblem problem{.offsets = graph.offsets.data(),
                      .columns = graph.columns.data(),
                      .row_scale = graph.row_scale.data(),
                      .column_scale = graph.column_scale.data(),
                      .source = source.view(),
                      .slots = slots.data()};
  expect_agreement(problem, {}, source.stride());
  const HalfTable half = half_of(source);
  problem.half_source = half.data();
  expect_agreement(problem, {}, source.stride());
}

}  // namespace
}  // namespace divns
