// SPDX-License-Identifier: Apache-2.0
// The OpenAPI document describes what is served, no more and no less.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/json.h"
#include "serve/api.h"
#include "serve/pages.h"

namespace divns {
namespace {

Json document() {
  return parse_json(find_page("/openapi.json").text);
}

TEST(OpenApi, HasEveryRouteAndNoOther) {
  std::set<std::string> served;
  for (const Route& route : serve_routes())
    served.insert(std::string(route.method) + " " + std::string(route.path));
  std::set<std::string> described;
  const Json paths = document()["paths"];
  for (const auto& [path, methods] : paths.items())
    for (const auto& [method, operation] : methods.items())
      described.insert((method == "get" ? "GET " : "POST ") + path);
  EXPECT_EQ(described, served);
}

TEST(OpenApi, SaysWhichRoutesNeedNoToken) {
  for (const Route& route : serve_routes()) {
    const Json methods = document()["paths"][std::string(route.path)];
    const Json operation = methods[route.method == "GET" ? "get" : "post"];
    EXPECT_EQ(operation.contains("security") && operation["security"].empty(), route.open)
        << route.path;
    EXPECT_EQ(operation["responses"].contains("401"), !route.open) << route.path;
  }
}

TEST(OpenApi, NamesTheParametersOfThePath) {
  for (const Route& route : serve_routes()) {
    const size_t brace = route.path.find('{');
    if (brace == std::string_view::npos) continue;
    const std::string name(route.path.substr(brace + 1, route.path.find('}') - brace - 1));
    const Json operation = document()["paths"][std::string(route.path)]["get"];
    EXPECT_EQ(operation["parameters"][0]["name"], name);
  }
}

}  // namespace
}  // namespace divns
