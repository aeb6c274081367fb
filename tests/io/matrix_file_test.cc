// SPDX-License-Identifier: Apache-2.0
#include "io/matrix_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::TempFolder;

std::vector<float> values(const NpyArray<float>& table) {
  return {table.values.begin(), table.values.end()};
}

TEST(MatrixFile, ReadsTextWithAnySeparatorAndColumnNames) {
  const TempFolder folder;
  for (const std::string text :
       {"1,2\n3,-4.5\n", "x,y\n1,2\n3,-4.5", "1 2\r\n\r\n3\t-4.5\r\n", " 1 ; 2 \n3;-4.5\n"}) {
    const NpyArray<float> table = read_matrix(folder.write("m.csv", text));
    EXPECT_EQ(table.rows, 2U) << text;
    EXPECT_EQ(table.columns, 2U);
    EXPECT_EQ(values(table), (std::vector<float>{1, 2, 3, -4.5F}));
  }
}

TEST(MatrixFile, KnowsNpyByItsContent) {
  const TempFolder folder;
  write_npy<double>(folder.file("m.csv"), std::vector<double>{1, 2, 3, 4}, 2, 2, 2);
  EXPECT_EQ(read_matrix(folder.file("m.csv")).rows, 2U);
}

TEST(MatrixFile, ErrorsNameTheLine) {
  const TempFolder folder;
  const auto error = [&](const std::string& text) {
    const auto path = folder.write("m.csv", text);
    return testing::error_of([&] { read_matrix(path); });
  };
  EXPECT_NE(error("1,2\n3,x\n").find("m.csv:2: 'x' is not a finite number"), std::string::npos);
  EXPECT_NE(error("1,2\n3,,4\n").find("m.csv:2: '' is not a finite number"), std::string::npos);
  EXPECT_NE(error("1,2\n3\n").find("m.csv:2: 1 numbers; expected 2"), std::string::npos);
  EXPECT_NE(error("1,2\nnan,1\n").find("'nan' is not a finite number"), std::string::npos);
  EXPECT_NE(error("").find("holds no numbers"), std::string::npos);
}

TEST(MatrixFile, TheFirstRowIsNeverLost) {
  const testing::TempFolder folder;
  folder.write("bom.csv",
               "\xef\xbb\xbf"
               "1,2\n3,4\n");
  EXPECT_EQ(read_matrix(folder.file("bom.csv")).rows, 2U);
  for (const char* row : {"nan,1", "inf,1", "1,-inf", "1e99,2"}) {
    folder.write("odd.csv", std::string(row) + "\n3,4\n");
    EXPECT_ERROR(read_matrix(folder.file("odd.csv")), "odd.csv:1:");
  }
  folder.write("named.csv", "x,y\n3,4\n");
  EXPECT_EQ(read_matrix(folder.file("named.csv")).rows, 1U);
}

}  // namespace
}  // namespace divns
