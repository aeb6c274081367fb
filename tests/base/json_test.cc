// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

TEST(Json, KeysKeepTheirOrderThroughTextAndBack) {
  const Json json = {{"zebra", 1}, {"ant", {true, nullptr}}};
  EXPECT_EQ(json_line(json), R"({"zebra":1,"ant":[true,null]})");
  EXPECT_EQ(json_text({{"a", 1}}), "{\n  \"a\": 1\n}");
  EXPECT_EQ(json_line(parse_json(json_text(json))), json_line(json));
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) {
  const Json json = {{"path",
                      "a\xFF"
                      "b"}};
  EXPECT_EQ(json_line(json),
            "{\"path\":\"a\xEF\xBF\xBD"
            "b\"}");
  EXPECT_NE(json_text(json).find("\xEF\xBF\xBD"), std::string::npos);
}

TEST(Json, WhatIsNotJsonThrowsOrIsNothing) {
  EXPECT_THROW(parse_json("{"), Json::exception);
  const Json nothing = parse_json_if_valid("{");
  EXPECT_FALSE(nothing.is_object() || nothing.is_array() || nothing.is_null());
  EXPECT_TRUE(parse_json_if_valid("{}").is_object());
}

TEST(Json, RefusesDepthAndNumbersOfKeysBeforeParsing) {
  EXPECT_FALSE(parse_json_if_valid(std::string(100'000, '[')).is_array());
  std::string many = "{";
  for (int i = 0; i < 30'000; ++i) many += fmt::format("\"{}\":0,", i);
  many.back() = '}';
  EXPECT_FALSE(parse_json_if_valid(many).is_object());
  EXPECT_TRUE(parse_json_if_valid(R"({"a": [1, "]]}}::{{[["]})").is_object());
}

TEST(Json, ASealedDocumentTellsOfAnyChange) {
  const testing::TempFolder folder;
  folder.write("m.json", sealed_json_text({{"epochs", 3}, {"recall@20", 0.1}, {"id", "\xff"}}));
  EXPECT_EQ(json_count(read_sealed_json(folder.file("m.json")), "epochs", 0, "m.json"), 3U);
  std::string text = read_text_file(folder.file("m.json"));
  text.replace(text.find("0.1"), 3, "0.9");
  folder.write("edited.json", text);
  EXPECT_ERROR(read_sealed_json(folder.file("edited.json")), "was changed after divns wrote it");
}

TEST(Json, WrongTypesGetASentence) {
  const Json json = {{"epochs", 1e300}, {"seconds", "many"}, {"best", -1}};
  EXPECT_ERROR(json_count(json, "epochs", 0, "metrics.json"), "metrics.json is damaged: 'epochs'");
  EXPECT_ERROR(json_count(json, "best", 0, "metrics.json"), "whole number");
  EXPECT_ERROR(json_number(json, "seconds", 0, "metrics.json"), "a number is expected");
  EXPECT_EQ(json_number(json, "absent", 2, "metrics.json"), 2);
}

}  // namespace
}  // namespace divns
