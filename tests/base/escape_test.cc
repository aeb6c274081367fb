// SPDX-License-Identifier: Apache-2.0
#include "base/escape.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "support/errors.h"

namespace divns {
namespace {

using testing::error_of;

TEST(Escape, TerminalShowsWhatATerminalWouldObey) {
  EXPECT_EQ(escape_terminal("plain, é, 漢"), "plain, é, 漢");
  EXPECT_EQ(escape_terminal("\x1b[2J\a"), "\\x1b[2J\\x07");
  EXPECT_EQ(escape_terminal("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(escape_terminal("\u202e\u2066"), "\\u202e\\u2066");
  EXPECT_EQ(escape_terminal("\xc2\x9b"), "\\x9b");  // a control character beyond ASCII
  EXPECT_EQ(escape_terminal("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");  // not UTF-8
  EXPECT_EQ(escape_terminal(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Escape, SentencesOfErrorsAreSafe) {
  EXPECT_EQ(error_of([] { fail("the id '{}' is unknown.", std::string_view("\x1b[31m\0x", 7)); }),
            "the id '\\x1b[31m\\x00x' is unknown.");
}

TEST(Escape, TsvKeepsOneFieldOnOneLine) {
  EXPECT_EQ(escape_tsv("a\tb\nc\rd\\e"), "a\\tb\\nc\\rd\\\\e");
}

TEST(Escape, CsvForSpreadsheetsIsNoFormula) {
  EXPECT_EQ(escape_csv("=1+1"), "=1+1");
  EXPECT_EQ(escape_csv("=1+1", CsvFor::kSpreadsheets), "'=1+1");
  EXPECT_EQ(escape_csv("@a,b", CsvFor::kSpreadsheets), "\"'@a,b\"");
  EXPECT_EQ(escape_csv("plain", CsvFor::kSpreadsheets), "plain");
}

TEST(Escape, ShellAndHtml) {
  EXPECT_EQ(escape_shell("a/b.csv"), "a/b.csv");
  EXPECT_EQ(escape_shell("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(escape_shell(""), "''");
  EXPECT_EQ(escape_shell_comment("x\ntouch FILE #"), "x\\ntouch FILE #");
  EXPECT_EQ(escape_html("<a href='x'>&\""), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
}

}  // namespace
}  // namespace divns
