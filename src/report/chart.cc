// SPDX-License-Identifier: Apache-2.0
#include "report/chart.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/escape.h"
#include "base/files.h"
#include "base/json.h"
#include "report/palette.h"

namespace divns {
namespace {

// Five points in the unit square around the origin.
constexpr const char* kStar =
    "M0,-1L0.247,-0.34L0.951,-0.309L0.399,0.13L0.588,0.809L0,0.42L-0.588,0.809L-0.399,0.13L-0.951,"
    "-0.309L-0.247,-0.34Z";

constexpr const char* kPlace = "place in the stack";  // a field that the specification computes
constexpr int kStackedTicks = 10;

const char* type_name(Channel::Type type) {
  switch (type) {
    case Channel::Type::kNumber:
      return "quantitative";
    case Channel::Type::kOrder:
      return "ordinal";
    case Channel::Type::kName:
      return "nominal";
  }
  return "nominal";
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json inline_values(const ReportTable& data) {
  Json values = Json::array();
  for (const auto& row : data.rows()) {
    Json object = Json::object();
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string name = data.columns()[c].full_name();
      if (const std::string* text = row[c].text()) object[name] = *text;
      const Figure* figure = row[c].figure();
      if (figure != nullptr) object[name] = number(figure->value);
      if (figure != nullptr && figure->sd) object[name + " sd"] = number(*figure->sd);
    }
    values.push_back(std::move(object));
  }
  return values;
}

class Specification {
 public:
  Specification(const Chart& chart, const ReportTable& data) : chart_(chart), data_(data) {}

  Json json(Json data) const {
    Json spec = {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
                 {"title", title()}};
    if (!data.is_null()) spec["data"] = std::move(data);
    const Json transforms = transform();
    if (!transforms.empty()) spec["transform"] = transforms;
    if (chart_.facet.column.empty()) {
      spec.update(panel());
    } else {
      spec["facet"] = {{"column", channel(chart_.facet)}};
      spec["spec"] = panel();
      if (!chart_.shared_axes)
        spec["resolve"] = {{"scale", {{"x", "independent"}, {"y", "independent"}}}};
    }
    spec["config"] = {{"range", {{"category", kPalette}}},
                      {"view", {{"stroke", nullptr}}},
                      {"legend", {{"labelLimit", 300}}},
                      {"axis", {{"grid", true}, {"gridOpacity", 0.4}}}};
    return spec;
  }

 private:
  Json title() const {
    Json title = {{"text", chart_.title}, {"anchor", "start"}};
    if (!chart_.subtitle.empty()) title["subtitle"] = chart_.subtitle;
    return title;
  }

  bool is_stacked() const {
    return chart_.kind == ChartKind::kStackedBar && !chart_.colour.column.empty();
  }

  Json transform() const {
    Json steps = Json::array();
    if (!chart_.filter_column.empty()) steps.push_back(filter());
    // Parts of a bar are stacked in the order of the legend, not in alphabetical order.
    if (is_stacked())
      steps.push_back({{"calculate", fmt::format("indexof({}, datum[{}])",
                                                 values_of(chart_.colour.column).dump(),
                                                 Json(chart_.colour.column).dump())},
                       {"as", kPlace}});
    return steps;
  }

  Json filter() const {
    const Json one_of = {{"field", escape_vega_field(chart_.filter_column)},
                         {"oneOf", chart_.filter_values}};
    return {{"filter", one_of}};
  }

  Json panel() const {
    Json layers = Json::array();
    layers.push_back({{"mark", mark()}, {"encoding", encoding()}});
    if (has_spread()) layers.push_back(error_bars());
    const Json width = chart_.width == 0 ? Json("container") : Json(chart_.width);
    return {{"width", width}, {"height", chart_.height}, {"layer", std::move(layers)}};
  }

  Json mark() const {
    switch (chart_.kind) {
      case ChartKind::kLine:
        return {{"type", "line"}, {"point", true}, {"tooltip", true}};
      case ChartKind::kCurve:
        return {{"type", "line"}, {"tooltip", true}};
      case ChartKind::kBar:
      case ChartKind::kStackedBar:
        return {{"type", "bar"}, {"tooltip", true}};
      case ChartKind::kScatter:
        return {{"type", "point"}, {"filled", true}, {"opacity", 0.8}, {"tooltip", true}};
    }
    return {};
  }

  Json channel(const Channel& channel) const {
    const std::string shown = channel.title.empty() ? channel.column : channel.title;
    Json json = {{"field", escape_vega_field(channel.column)},
                 {"type", type_name(channel.type)},
                 {"title", shown}};
    if (channel.type != Channel::Type::kNumber) json["sort"] = values_of(channel.column);
    return json;
  }

  // The distinct values of a column in the order of the table, not in alphabetical order.
  Json values_of(const std::string& column) const {
    Json values = Json::array();
    for (size_t c = 0; c < data_.columns().size(); ++c) {
      if (data_.columns()[c].full_name() != column) continue;
      for (const auto& row : data_.rows()) {
        if (row[c].empty()) continue;
        const Json value = row[c].text() ? Json(*row[c].text()) : number(row[c].figure()->value);
        if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
      }
    }
    return values;
  }

  Json axis(const Channel& which) const {
    Json json = channel(which);
    if (chart_.hide_axes) json["axis"] = nullptr;
    if (which.type != Channel::Type::kNumber) return json;
    if (which.logarithmic)
      json["scale"] = {{"type", "log"}};
    else
      json["scale"] = {{"zero", which.from_zero}};
    if (is_stacked()) json["axis"]["tickCount"] = kStackedTicks;
    return json;
  }

  Json encoding() const {
    Json json = {{"x", axis(chart_.x)}, {"y", axis(chart_.y)}};
    if (!chart_.colour.column.empty()) {
      json["color"] = colour();
      // Distinguished by more than colour.
      if (draws_lines()) json["strokeDash"] = colour();
      if (chart_.kind == ChartKind::kScatter && chart_.shape.column.empty())
        json["shape"] = colour();
      if (chart_.kind == ChartKind::kBar) json["xOffset"] = offset();
      if (is_stacked()) json["order"] = {{"field", kPlace}, {"type", "quantitative"}};
    }
    if (!chart_.shape.column.empty()) {
      json["shape"] = channel(chart_.shape);
      json["shape"]["scale"] = {{"range", {"circle", kStar, "diamond", "cross"}}};
      json["size"] = channel(chart_.shape);
      json["size"]["scale"] = {{"range", {20, 260, 120, 120}}};
    }
    json["tooltip"] = tooltip();
    return json;
  }

  bool draws_lines() const {
    return chart_.kind == ChartKind::kLine || chart_.kind == ChartKind::kCurve;
  }

  Json colour() const {
    Json json = channel(chart_.colour);
    if (!chart_.colour_order.empty()) json["scale"] = {{"domain", chart_.colour_order}};
    return json;
  }

  Json offset() const {
    Json json = channel(chart_.colour);
    json.erase("title");
    return json;
  }

  Json tooltip() const {
    Json list = Json::array();
    for (size_t c = 0; c < data_.columns().size(); ++c) {
      const std::string name = data_.columns()[c].full_name();
      list.push_back({{"field", escape_vega_field(name)},
                      {"type", data_.is_numeric(c) ? "quantitative" : "nominal"},
                      {"title", name}});
    }
    return list;
  }

  bool has_spread() const {
    for (size_t c = 0; c < data_.columns().size(); ++c)
      if (data_.columns()[c].full_name() == chart_.y.column) return data_.has_spread(c);
    return false;
  }

  // One standard deviation above and below.
  Json error_bars() const {
    Json bars = {{"x", axis(chart_.x)}, {"y", axis(chart_.y)}};
    bars["yError"] = {{"field", escape_vega_field(chart_.y.column + " sd")}};
    if (!chart_.colour.column.empty()) {
      if (chart_.kind == ChartKind::kBar)
        bars["xOffset"] = offset();
      else
        bars["color"] = colour();
    }
    const Json mark = chart_.kind == ChartKind::kCurve
                          ? Json{{"type", "errorband"}, {"opacity", 0.2}}
                          : Json{{"type", "errorbar"}, {"ticks", true}};
    return {{"mark", mark}, {"encoding", std::move(bars)}};
  }

  const Chart& chart_;
  const ReportTable& data_;
};

}  // namespace

std::string vega_lite(const Chart& chart, const ReportTable& data) {
  return json_text(Specification(chart, data).json({{"values", inline_values(data)}})) + "\n";
}

std::string vega_lite(const Chart& chart, const ReportTable& data, const std::string& csv_url) {
  // Field types are given explicitly, so that the parser does not misread a sampler's name or an
  // empty field.
  Json types = Json::object();
  for (size_t c = 0; c < data.columns().size(); ++c) {
    const std::string name = data.columns()[c].full_name();
    types[name] = data.is_numeric(c) ? "number" : "string";
    if (data.has_spread(c)) types[name + " sd"] = "number";
  }
  const Json source = {{"url", csv_url}, {"format", {{"type", "csv"}, {"parse", types}}}};
  return json_text(Specification(chart, data).json(source)) + "\n";
}

Json vega_lite_spec(const Chart& chart, const ReportTable& data) {
  return Specification(chart, data).json(Json());
}

void write_chart(const std::filesystem::path& folder, const std::string& name, const Chart& chart,
                 const ReportTable& data) {
  write_file_atomically(folder / (name + ".csv"), to_csv(data));
  write_file_atomically(folder / (name + ".vl.json"), vega_lite(chart, data));
}

}  // namespace divns
