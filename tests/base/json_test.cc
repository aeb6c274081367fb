// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace divns
