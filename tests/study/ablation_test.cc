// SPDX-License-Identifier: Apache-2.0
#include "study/ablation.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace divns {
namespace {

std::vector<std::string> labels(const StudyRows& rows) {
  std::vector<std::string> result;
  for (const StudyRow& row : rows.rows) result.push_back(row.label + (row.is_reference ? "!" : ""));
  return result;
}

TEST(Ablation, OneFactorAtATimeAroundTheBase) {
  StudyRows rows;
  add_ablation_rows("mf", "divns", {{"divns.lambda", "0.50"}},
                    {parse_axis("lambda"), parse_axis("combine")}, rows);
  EXPECT_EQ(labels(rows),
            (std::vector<std::string>{"lambda=0.1", "lambda=0.3", "lambda=0.5!", "lambda=0.7",
                                      "lambda=0.9", "combine=mix!", "combine=pair"}));
  EXPECT_EQ(rows.rows[0].group, "mf lambda");
  EXPECT_EQ(rows.rows[6].group, "mf combine");
  // Other factors stay at the base; the rows that equal it are one and the same run.
  const auto id = [&](size_t r) {
    return plan_run({"mf", "divns", 1, rows.rows[r].settings}, "").id;
  };
  EXPECT_EQ(id(2), id(5));
  EXPECT_NE(id(3), id(5));
}

TEST(Ablation, TheBaseIsAddedWhereNoValueIsIt) {
  StudyRows rows;
  add_ablation_rows("mf", "divns", {{"divns.cache_ratio", "3"}}, {parse_axis("m")}, rows);
  EXPECT_EQ(labels(rows), (std::vector<std::string>{"m=3!", "m=1", "m=2", "m=4", "m=6"}));
}

TEST(Ablation, WhatDoesNotGoWithTheBaseIsLeftOutWithANote) {
  StudyRows rows;
  add_ablation_rows("mf", "divns", {{"divns.cache_ratio", "6"}}, {parse_axis("n")}, rows);
  EXPECT_EQ(labels(rows), (std::vector<std::string>{"n=8", "n=10!", "n=15", "n=20"}));
  ASSERT_EQ(rows.notes.size(), 1U);
  EXPECT_NE(rows.notes[0].find("n=6 is left out with mf: divns.cache_ratio is 6"),
            std::string::npos)
      << rows.notes[0];
}

TEST(Ablation, AnyOptionIsAnAxis) {
  StudyRows rows;
  add_ablation_rows("mf", "dns", {}, {parse_axis("l2=1e-4/0.01")}, rows);
  EXPECT_EQ(labels(rows), (std::vector<std::string>{"l2=0.0001!", "l2=0.01"}));
  EXPECT_ERROR(parse_axis("lamda"), "Did you mean 'lambda'");
  EXPECT_ERROR(add_ablation_rows("mf", "dns", {}, {parse_axis("l3=1/2")}, rows),
               "there is no option 'l3'");
  EXPECT_ERROR(add_ablation_rows("mf", "dns", {}, {parse_axis("l2=x")}, rows), "l2 is 'x'");
}

TEST(Ablation, EveryNamedAxisIsOfOptionsThatExist) {
  for (const AblationAxis& axis : ablation_axes()) {
    StudyRows rows;
    add_ablation_rows("lightgcn", "divns", {}, {axis}, rows);
    EXPECT_EQ(rows.rows.size(), axis.values.size()) << axis.name;
    EXPECT_TRUE(rows.notes.empty()) << axis.name;
  }
}

}  // namespace
}  // namespace divns
