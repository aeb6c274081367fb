// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/escape.h"
#include "base/files.h"
#include "divns/text_table.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

ReportTable small_table() {
  ReportTable table("Quality & cost_a", {{"sampler"}, {"NDCG", "beauty"}, {"Recall", "beauty"}});
  table.add({"dns_mn", Figure{.value = 0.03541234567890123, .sd = 0.0004}, Figure{.value = 2}});
  table.add({"divns", Figure{.value = 0.0385, .sd = 0.00061}, {}});
  table.add_rule();
  table.add({"a|b", Figure{.value = 0.0301}, Figure{.value = 1, .digits = 1, .unit = "%"}});
  table.mark_best(1);
  return table;
}

TEST(ReportTable, Terminal) {
  EXPECT_EQ(to_text(small_table()),
            "Quality & cost_a\n"
            "         -------- beauty --------\n"
            "sampler             NDCG   Recall\n"
            "---------------------------------\n"
            "dns_mn   0.0354 ± 0.0004+  2.0000\n"
            "divns    0.0385 ± 0.0006*       –\n"
            "---------------------------------\n"
            "a|b               0.0301    1.0 %\n"
            "* best, + second best\n");
}

TEST(ReportTable, Markdown) {
  EXPECT_EQ(to_markdown(small_table()),
            "**Quality & cost_a**\n\n"
            "| sampler | beauty NDCG | beauty Recall |\n"
            "|---|---:|---:|\n"
            "| dns_mn | <u>0.0354 ± 0.0004</u> | 2.0000 |\n"
            "| divns | **0.0385 ± 0.0006** | – |\n"
            "| a\\|b | 0.0301 | 1.0 % |\n");
}

TEST(ReportTable, Latex) {
  EXPECT_EQ(to_latex(small_table(), "quality"),
            "% needs \\usepackage{booktabs}\n"
            "\\begin{table}\n"
            "  \\centering\n"
            "  \\caption{Quality \\& cost\\_a}\n"
            "  \\label{tab:quality}\n"
            "  \\begin{tabular}{@{}lrr@{}}\n"
            "    \\toprule\n"
            "     & \\multicolumn{2}{c}{beauty} \\\\\n"
            "    \\cmidrule(lr){2-3}\n"
            "    sampler & NDCG & Recall \\\\\n"
            "    \\midrule\n"
            "    dns\\_mn & \\underline{0.0354$\\pm$0.0004} & 2.0000 \\\\\n"
            "    divns & \\textbf{0.0385$\\pm$0.0006} & -- \\\\\n"
            "    \\midrule\n"
            "    a$|$b & 0.0301 & 1.0 \\% \\\\\n"
            "    \\bottomrule\n"
            "  \\end{tabular}\n"
            "\\end{table}\n");
}

TEST(ReportTable, CsvKeepsEveryDigit) {
  EXPECT_EQ(to_csv(small_table()),
            "sampler,beauty NDCG,beauty NDCG sd,beauty Recall\r\n"
            "dns_mn,0.03541234567890123,0.0004,2\r\n"
            "divns,0.0385,0.00061,\r\n"
            "a|b,0.0301,,1\r\n");
}

TEST(ReportTable, WordsStandForDigitsButNotInCsv) {
  ReportTable table("p", {{"p"}});
  table.add({Figure{.value = 3e-200, .words = "<1e-16"}});
  EXPECT_EQ(to_text(table), "p\n     p\n------\n<1e-16\n");
  EXPECT_EQ(to_csv(table), "p\r\n3e-200\r\n");
}

TEST(ReportTable, SharedBestLeavesNoSecond) {
  ReportTable table("t", {{"x"}, {"y"}});
  for (const double value : {1.0, 3.0, 3.0, 2.0, std::numeric_limits<double>::quiet_NaN()})
    table.add({Figure{.value = value}, Figure{.value = -value}});
  table.mark_best(0);
  table.mark_best(1, 0, 2, ReportTable::Better::kLower);
  const auto mark = [&](size_t row, size_t column) {
    return table.rows()[row][column].figure()->mark;
  };
  EXPECT_EQ(mark(0, 0), Mark::kNone);
  EXPECT_EQ(mark(1, 0), Mark::kBest);
  EXPECT_EQ(mark(2, 0), Mark::kBest);
  EXPECT_EQ(mark(3, 0), Mark::kNone);
  EXPECT_EQ(mark(4, 0), Mark::kNone);
  EXPECT_EQ(mark(0, 1), Mark::kSecond);
  EXPECT_EQ(mark(1, 1), Mark::kBest);
  EXPECT_EQ(mark(2, 1), Mark::kNone);
}

TEST(ReportTable, OneFigureAloneIsNotTheBest) {
  ReportTable table("t", {{"x"}});
  table.add({Figure{.value = 1}});
  table.add({Cell()});
  table.mark_best(0);
  EXPECT_FALSE(table.has_marks(0));
}

TEST(ReportTable, StarsNotesAndNegativeZero) {
  ReportTable table("t", {{"x"}});
  table.add({Figure{.value = -0.00001, .digits = 2, .star = true}});
  table.add_note("5 % of {it}");
  EXPECT_EQ(to_text(table), "t\n   x\n-----\n0.00'\n' significant\n5 % of {it}\n");
  EXPECT_NE(to_latex(table, "t").find("0.00$^\\ast$"), std::string::npos);
  EXPECT_NE(to_latex(table, "t").find("{\\footnotesize 5 \\% of \\{it\\}}"), std::string::npos);
  EXPECT_NE(to_markdown(table).find("| 0.00\\* |"), std::string::npos);
}

TEST(ReportTable, WritesThreeFiles) {
  const testing::TempFolder folder;
  const ReportTable table = small_table();
  write_table(folder.path(), "quality", table);
  EXPECT_EQ(read_text_file(folder.file("quality.md")), to_markdown(table));
  EXPECT_EQ(read_text_file(folder.file("quality.tex")), to_latex(table, "quality"));
  EXPECT_EQ(read_text_file(folder.file("quality.csv")), to_csv(table));
}

TEST(Escape, Markdown) {
  EXPECT_EQ(escape_markdown("dns_mn _x_ a*b [l] <i> `c` 1|2 \\ ~~s\nnext"),
            "dns_mn \\_x\\_ a\\*b \\[l\\] \\<i\\> \\`c\\` 1\\|2 \\\\ \\~\\~s next");
}

TEST(Escape, Latex) {
  EXPECT_EQ(escape_latex("a_b & 5% $ # {x} ~ ^ \\ <> λ ± é"),
            "a\\_b \\& 5\\% \\$ \\# \\{x\\} \\textasciitilde{} \\textasciicircum{} "
            "\\textbackslash{} $<$$>$ $\\lambda$ $\\pm$ é");
}

TEST(Escape, Csv) {
  EXPECT_EQ(escape_csv("plain"), "plain");
  EXPECT_EQ(escape_csv("DNS(M, N)"), "\"DNS(M, N)\"");
  EXPECT_EQ(escape_csv("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(escape_csv("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(escape_csv(" padded"), "\" padded\"");
  EXPECT_EQ(escape_csv(""), "");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({"name", "figure"});
  table.add({"λ = 0.5", "1 ± 2"});
  table.add({"x", "10"});
  EXPECT_EQ(table.text(), "name     figure\nλ = 0.5   1 ± 2\nx            10\n");
}

TEST(TextTable, CellsAreOneLineWithoutControlCharacters) {
  TextTable table({"label", "x"});
  table.add({"two\nlines \x1b[31m", "1"});
  EXPECT_EQ(table.text(), "label                x\ntwo\\nlines \\x1b[31m  1\n");
  ReportTable report("a\nb", {{"c"}});
  report.add_note("d\ne");
  EXPECT_EQ(to_text(report), "a\\nb\nc\n-\nd\\ne\n");
}

TEST(TextTable, AGroupNameMayBeWiderThanItsColumns) {
  TextTable table({"x", "a", "b"});
  table.set_groups({"", "long name", "long name"});
  table.add({"1", "2", "3"});
  EXPECT_EQ(table.text(), "   long name\nx  a       b\n1  2       3\n");
}

TEST(TextTable, Commas) {
  EXPECT_EQ(with_commas(7), "7");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
}

TEST(ReportTable, WideTablesAreStacked) {
  std::vector<Column> columns = {{"sampler"}};
  for (int i = 0; i < 12; ++i) columns.push_back({"metric number " + std::to_string(i)});
  ReportTable table("Wide", columns);
  std::vector<Cell> row = {"divns"};
  for (int i = 0; i < 12; ++i) row.emplace_back(Figure{.value = 0.125 * i});
  table.add(row);
  const auto widest = [](const std::string& text) {
    size_t most = 0;
    for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
      most = std::max(most, text.find('\n', begin) - begin);
    return most;
  };
  const std::string text = to_text(table);
  EXPECT_LE(widest(text), 120U);
  EXPECT_GT(widest(to_text(table, 1000)), 120U);
  for (int i = 0; i < 12; ++i)
    EXPECT_NE(text.find("metric number " + std::to_string(i)), std::string::npos);
  // The first column is repeated in each of the two blocks.
  EXPECT_NE(text.find("divns"), text.rfind("divns"));
}

}  // namespace
}  // namespace divns
