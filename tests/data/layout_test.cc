// SPDX-License-Identifier: Apache-2.0
#include "data/layout.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace divns {
namespace {

using testing::error_of;

Layout layout_of(std::string_view head, const LayoutRequest& request = {},
                 std::string_view name = "file.txt") {
  return find_layout(request, name, head);
}

TEST(Layout, HeaderNamesPlaceTheColumns) {
  const Layout layout = layout_of("timestamp,rating,movieId,userId\n1,5,10,20\n");
  EXPECT_EQ(layout.format, "csv");
  EXPECT_TRUE(layout.header);
  EXPECT_EQ(layout.user, 3);
  EXPECT_EQ(layout.item, 2);
  EXPECT_EQ(layout.rating, 1);
  EXPECT_EQ(layout.time, 0);
}

TEST(Layout, RecBoleHeadersCarryTypes) {
  const Layout layout = layout_of(
      "user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t2\t3\t4\n", {}, "x.inter");
  EXPECT_TRUE(layout.header);
  EXPECT_EQ(layout.delimiter, "\t");
  EXPECT_EQ(layout.user, 0);
  EXPECT_EQ(layout.item, 1);
  EXPECT_EQ(layout.rating, 2);
  EXPECT_EQ(layout.time, 3);
}

TEST(Layout, HeaderlessFilesAreUserItemRatingTime) {
  const Layout four = layout_of("196\t242\t3\t881250949\n186\t302\t3\t891717742\n");
  EXPECT_FALSE(four.header);
  EXPECT_EQ(four.format, "uirt");
  EXPECT_EQ(four.rating, 2);
  EXPECT_EQ(four.time, 3);
  const Layout two = layout_of("0\t0\n0\t47\n");
  EXPECT_EQ(two.kind, Layout::Kind::kDelimited);
  EXPECT_EQ(two.rating, -1);
  const Layout dat = layout_of("1::1193::5::978300760\n");
  EXPECT_EQ(dat.delimiter, "::");
  EXPECT_EQ(dat.format, "ml-1m");
  const Layout amazon = layout_of(
      "A39HTATAQ9V7YF,0205616461,5.0,1369699200\nA3JM6GV9MNOF9X,0558925278,3.0,1355443200\n");
  EXPECT_FALSE(amazon.header);
  EXPECT_EQ(amazon.rating, 2);
  EXPECT_EQ(amazon.time, 3);
  const Layout titled = layout_of("u1\ti1\tsome title\nu2\ti2\tanother\n");
  EXPECT_EQ(titled.rating, -1);
}

TEST(Layout, AdjacencyHasLinesOfUnequalLength) {
  EXPECT_EQ(layout_of("0 4033 4402 1060\n1 879 1701\n").kind, Layout::Kind::kAdjacency);
  EXPECT_EQ(layout_of("1 1 2 3 4 5\n2 6 7 8 9 10\n").kind, Layout::Kind::kAdjacency);
  EXPECT_EQ(layout_of("1 1\n2 6\n").kind, Layout::Kind::kDelimited);
  LayoutRequest request;
  request.format = "adjacency";
  EXPECT_EQ(layout_of("1 1\n2 6\n", request).kind, Layout::Kind::kAdjacency);
}

TEST(Layout, JsonObjectsAreKnownByTheirKeys) {
  const Layout amazon = layout_of(
      R"({"reviewerID": "A2", "asin": "B0", "overall": 5.0, "unixReviewTime": 1370304000})"
      "\n");
  EXPECT_EQ(amazon.kind, Layout::Kind::kJsonLines);
  EXPECT_EQ(amazon.format, "amazon-json");
  const Layout yelp = layout_of(
      R"({"review_id":"K","user_id":"m","business_id":"X","stars":3.0,"date":"2018-07-07 22:09:11"})"
      "\n");
  EXPECT_EQ(yelp.format, "yelp");
  EXPECT_EQ(yelp.time_key, "date");
  EXPECT_NE(error_of([] { layout_of("{\"a\": 1}\n"); }).find("--user-column"), std::string::npos);
}

TEST(Layout, WrongColumnsGetTheNearestName) {
  LayoutRequest request;
  request.user_column = "usr_id";
  EXPECT_EQ(error_of([&] { layout_of("user_id,item_id\n1,2\n", request); }),
            "there is no column 'usr_id' for the user. Did you mean 'user_id'? The columns are: "
            "user_id, item_id.");
  EXPECT_EQ(error_of([&] { layout_of("1\t2\n", request); }),
            "the user column is given as 'usr_id', but this file has no header; give a number from "
            "1 to 2.");
  request.user_column = "2";
  request.item_column = "1";
  EXPECT_EQ(layout_of("10,20\n", request).user, 1);
  request.item_column = "2";
  EXPECT_NE(error_of([&] { layout_of("10,20\n", request); }).find("both column 2"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              layout_of("name,colour,7\nred,blue,8\n", {"csv", "", "", "", "", ""});
            }).find("(no error)"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              layout_of("colour,shape\n1,2\n");
            }).find("no column of the header looks like the user"),
            std::string::npos);
  EXPECT_NE(error_of([] { layout_of("justoneword\n"); }).find("one field only"), std::string::npos);
  EXPECT_NE(error_of([] { layout_of("\n \n"); }).find("empty"), std::string::npos);
}

TEST(Layout, DelimitersMayBeGivenInWords) {
  EXPECT_EQ(delimiter_from_words("tab"), "\t");
  EXPECT_EQ(delimiter_from_words("::"), "::");
  EXPECT_EQ(delimiter_from_words("|"), "|");
  EXPECT_NE(error_of([] { delimiter_from_words("semicolons"); }), "(no error)");
}

}  // namespace
}  // namespace divns
