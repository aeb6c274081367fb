// SPDX-License-Identifier: Apache-2.0
#include "report/chart.h"

#include <gtest/gtest.h>

#include <set>

#include "base/files.h"
#include "base/json.h"
#include "report/palette.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

ReportTable curve() {
  ReportTable data("t", {{"λ"}, {"dataset"}, {"NDCG@20"}});
  data.add({Figure{.value = 0.1}, "beauty", Figure{.value = 0.04, .sd = 0.001}});
  data.add({Figure{.value = 0.3}, "beauty", Figure{.value = 0.041, .sd = 0.002}});
  return data;
}

Chart line_chart() {
  return {.kind = ChartKind::kLine,
          .title = "Impact of λ",
          .subtitle = "LightGCN",
          .x = {.column = "λ"},
          .y = {.column = "NDCG@20", .title = "NDCG@20 of the test part"},
          .colour = {.column = "dataset", .type = Channel::Type::kName}};
}

TEST(Chart, LineWithErrorBars) {
  const Json spec = parse_json(vega_lite(line_chart(), curve()));
  EXPECT_EQ(spec["$schema"], "https://vega.github.io/schema/vega-lite/v5.json");
  EXPECT_EQ(spec["title"]["text"], "Impact of λ");
  EXPECT_EQ(spec["data"]["values"][1],
            (Json{{"λ", 0.3}, {"dataset", "beauty"}, {"NDCG@20", 0.041}, {"NDCG@20 sd", 0.002}}));
  ASSERT_EQ(spec["layer"].size(), 2U);
  const Json& line = spec["layer"][0];
  EXPECT_EQ(line["mark"]["type"], "line");
  EXPECT_EQ(line["encoding"]["x"]["field"], "λ");
  EXPECT_EQ(line["encoding"]["y"]["title"], "NDCG@20 of the test part");
  EXPECT_EQ(line["encoding"]["y"]["scale"]["zero"], false);
  EXPECT_EQ(line["encoding"]["color"]["field"], "dataset");
  EXPECT_EQ(line["encoding"]["strokeDash"]["field"], "dataset");
  EXPECT_EQ(line["encoding"]["tooltip"].size(), 3U);
  EXPECT_EQ(spec["layer"][1]["mark"]["type"], "errorbar");
  EXPECT_EQ(spec["layer"][1]["encoding"]["yError"]["field"], "NDCG@20 sd");
  EXPECT_EQ(spec["config"]["range"]["category"][0], "#0072b2");
}

TEST(Chart, BarsStandBesideEachOtherAndStartAtZero) {
  Chart chart = line_chart();
  chart.kind = ChartKind::kBar;
  chart.x.type = Channel::Type::kOrder;
  chart.y.from_zero = true;
  const Json spec = parse_json(vega_lite(chart, curve()));
  const Json& encoding = spec["layer"][0]["encoding"];
  EXPECT_EQ(encoding["xOffset"]["field"], "dataset");
  EXPECT_EQ(encoding["x"]["type"], "ordinal");
  EXPECT_EQ(encoding["x"]["sort"], (Json{0.1, 0.3}));
  EXPECT_EQ(encoding["y"]["scale"]["zero"], true);
}

TEST(Chart, PartsOfABarAreStackedInTheOrderOfTheTable) {
  Chart chart = line_chart();
  chart.kind = ChartKind::kStackedBar;
  ReportTable data = curve();
  data.add({Figure{.value = 0.1}, "amazon", Figure{.value = 0.03}});
  const Json spec = parse_json(vega_lite(chart, data));
  const Json& step = spec["transform"][0];
  EXPECT_EQ(step["calculate"], R"(indexof(["beauty","amazon"], datum["dataset"]))");
  EXPECT_EQ(spec["layer"][0]["encoding"]["order"]["field"], step["as"]);
}

TEST(Chart, PanelsBesideEachOther) {
  Chart chart = line_chart();
  chart.facet = chart.colour;
  chart.shared_axes = false;
  const Json spec = parse_json(vega_lite(chart, curve()));
  EXPECT_EQ(spec["facet"]["column"]["field"], "dataset");
  EXPECT_EQ(spec["spec"]["layer"][0]["mark"]["type"], "line");
  EXPECT_EQ(spec["resolve"]["scale"]["y"], "independent");
  EXPECT_FALSE(spec.contains("layer"));
}

TEST(Chart, ScatterFromACsvFile) {
  ReportTable data("t", {{"x.1"}, {"y[0]"}, {"kind"}});
  data.add({Figure{.value = 1}, Figure{.value = 2}, "item"});
  const Chart chart = {.kind = ChartKind::kScatter,
                       .title = "map",
                       .x = {.column = "x.1"},
                       .y = {.column = "y[0]"},
                       .shape = {.column = "kind", .type = Channel::Type::kName},
                       .hide_axes = true};
  const Json spec = parse_json(vega_lite(chart, data, "map.csv"));
  EXPECT_EQ(spec["data"]["url"], "map.csv");
  EXPECT_EQ(spec["data"]["format"]["parse"]["x.1"], "number");
  EXPECT_EQ(spec["data"]["format"]["parse"]["kind"], "string");
  ASSERT_EQ(spec["layer"].size(), 1U);
  const Json& encoding = spec["layer"][0]["encoding"];
  EXPECT_EQ(encoding["x"]["field"], "x\\.1");
  EXPECT_EQ(encoding["y"]["field"], "y\\[0\\]");
  EXPECT_TRUE(encoding["x"]["axis"].is_null());
  EXPECT_EQ(encoding["shape"]["field"], "kind");
  EXPECT_EQ(encoding["shape"]["scale"]["range"][0], "circle");
  EXPECT_LT(encoding["size"]["scale"]["range"][0], encoding["size"]["scale"]["range"][1]);
}

TEST(Chart, DrawsAPartOfItsData) {
  Chart chart = line_chart();
  chart.filter_column = "dataset";
  chart.filter_values = {"beauty", "yelp"};
  const Json spec = parse_json(vega_lite(chart, curve()));
  ASSERT_EQ(spec["transform"].size(), 1U);
  EXPECT_EQ(spec["transform"][0]["filter"],
            (Json{{"field", "dataset"}, {"oneOf", {"beauty", "yelp"}}}));
  EXPECT_FALSE(parse_json(vega_lite(line_chart(), curve())).contains("transform"));
}

TEST(Chart, WritesSpecificationAndData) {
  const testing::TempFolder folder;
  write_chart(folder.path(), "lambda", line_chart(), curve());
  EXPECT_EQ(read_text_file(folder.file("lambda.csv")), to_csv(curve()));
  EXPECT_EQ(read_text_file(folder.file("lambda.vl.json")), vega_lite(line_chart(), curve()));
}

TEST(Chart, NoColourTwice) {
  EXPECT_EQ(std::set<std::string>(kPalette.begin(), kPalette.end()).size(), kPalette.size());
}

}  // namespace
}  // namespace divns
