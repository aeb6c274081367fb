// SPDX-License-Identifier: Apache-2.0
#include "divns/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/check.h"
#include "divns/did_you_mean.h"

namespace divns {
namespace {

template <class T>
T parse_number(std::string_view name, std::string_view text, const char* kind) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail("{} is '{}', but {} is expected.", name, text, kind);
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value)) fail("{} is '{}', but a finite number is expected.", name, text);
  return value;
}

bool parse_bool(std::string_view name, std::string_view text) {
  if (text == "true" || text == "1" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "0" || text == "no" || text == "off") return false;
  fail("{} is '{}', but true or false is expected.", name, text);
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return parts;
}

template <class T>
std::string join_list(const std::vector<T>& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

template <class T>
const char* number_kind() {
  if constexpr (std::is_floating_point_v<T>) return "a number";
  return std::is_signed_v<T> ? "a whole number" : "a whole number that is not negative";
}

bool is_number_type(std::string_view type) {
  return type.starts_with("int") || type.starts_with("number");
}

}  // namespace

Option::Option(std::string name, std::string type, std::string help, Parse parse, Print print)
    : name_(std::move(name)),
      type_(std::move(type)),
      help_(std::move(help)),
      parse_(std::move(parse)),
      print_(std::move(print)),
      default_text_(print_()) {}

Option& Option::range(double low, double high) {
  low_ = low;
  high_ = high;
  return *this;
}

Option& Option::above(double low) {
  low_ = low;
  low_open_ = true;
  return *this;
}

Option& Option::alias(std::string other) {
  aliases_.push_back(std::move(other));
  return *this;
}

Option& Option::choices(std::vector<std::string> names) {
  choices_ = std::move(names);
  return *this;
}

Option& Option::tune_linear(double low, double high) {
  tune_ = {TuneRange::Scale::kLinear, low, high, {}};
  return *this;
}

Option& Option::tune_log(double low, double high) {
  tune_ = {TuneRange::Scale::kLog, low, high, {}};
  return *this;
}

Option& Option::tune_values(std::vector<std::string> values) {
  tune_ = {TuneRange::Scale::kList, 0, 0, std::move(values)};
  return *this;
}

Option& Option::preset(std::string when, std::string other, std::string text) {
  presets_.push_back({std::move(when), std::move(other), std::move(text)});
  return *this;
}

Option& Option::group(std::string heading) {
  group_ = std::move(heading);
  return *this;
}

Option& Option::advanced() {
  advanced_ = true;
  return *this;
}

Option& Option::bare(std::string text) {
  bare_ = std::move(text);
  return *this;
}

std::string_view Option::owner() const {
  const size_t dot = name_.find('.');
  return dot == std::string::npos ? std::string_view() : std::string_view(name_).substr(0, dot);
}

Option& Option::omit_default() {
  omit_default_ = true;
  return *this;
}

std::string Option::expectation() const {
  if (!choices_.empty()) return fmt::format("{}", fmt::join(choices_, " | "));
  const bool bounded_low = std::isfinite(low_);
  const bool bounded_high = std::isfinite(high_);
  if (bounded_low && bounded_high) return fmt::format("{} to {}", low_, high_);
  if (bounded_low) return fmt::format("{} {}", low_open_ ? "above" : "at least", low_);
  if (bounded_high) return fmt::format("at most {}", high_);
  return {};
}

void Option::check_number(double value, std::string_view text) const {
  if (value < low_ || value > high_ || (low_open_ && value == low_))
    fail("{} is '{}', but {} is expected.", name_, text, expectation());
}

void Option::set(std::string_view text, OptionSource source) {
  if (source < source_) return;
  if (!choices_.empty())
    for (const auto part : type_.ends_with("list") ? split_list(text) : std::vector{text})
      if (std::find(choices_.begin(), choices_.end(), part) == choices_.end())
        fail("{} is '{}', but one of {} is expected.{}", name_, part, expectation(),
             did_you_mean(part, choices_));
  if (is_number_type(type_))
    for (const auto part : type_.ends_with("list") ? split_list(text) : std::vector{text})
      if (!part.empty()) check_number(parse_number<double>(name_, part, "a number"), part);
  parse_(text);
  source_ = source;
}

std::string Option::toml_value() const {
  const auto scalar = [&](std::string_view text) {
    if (is_flag() || is_number_type(type_)) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + "\"";
  };
  const std::string text = value();
  if (!type_.ends_with("list")) return scalar(text);
  std::vector<std::string> parts;
  for (const auto part : split_list(text)) parts.push_back(scalar(part));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

void Options::include(const Options& other, std::span<const std::string_view> except) {
  for (const Option& option : other.options_)
    if (std::find(except.begin(), except.end(), option.name()) == except.end()) insert(option);
}

void Options::restrict_to(std::string_view name, std::vector<std::string> values) {
  must_find(name).choices(std::move(values));
}

Option& Options::insert(Option option) {
  DIVNS_ASSERT(find(option.name()) == nullptr);
  if (option.group().empty()) option.group(section_);
  return options_.emplace_back(std::move(option));
}

Option& Options::add(std::string name, bool& target, std::string help) {
  return insert(Option(
      name, "bool", std::move(help),
      [&target, name](std::string_view text) { target = parse_bool(name, text); },
      [&target] { return std::string(target ? "true" : "false"); }));
}

template <class T>
static Option number_option(std::string name, T& target, std::string help) {
  const auto parse = [&target, name](std::string_view text) {
    target = parse_number<T>(name, text, number_kind<T>());
  };
  return Option(name, std::is_floating_point_v<T> ? "number" : "int", std::move(help), parse,
                [&target] { return fmt::format("{}", target); });
}

Option& Options::add(std::string name, int& target, std::string help) {
  return insert(number_option(std::move(name), target, std::move(help)));
}
Option& Options::add(std::string name, int64_t& target, std::string help) {
  return insert(number_option(std::move(name), target, std::move(help)));
}
Option& Options::add(std::string name, uint64_t& target, std::string help) {
  return insert(number_option(std::move(name), target, std::move(help)));
}
Option& Options::add(std::string name, double& target, std::string help) {
  return insert(number_option(std::move(name), target, std::move(help)));
}

Option& Options::add(std::string name, std::optional<double>& target, std::string help) {
  const auto parse = [&target, name](std::string_view text) {
    target.reset();
    if (!text.empty()) target = parse_number<double>(name, text, number_kind<double>());
  };
  const auto print = [&target] { return target ? fmt::format("{}", *target) : std::string(); };
  return insert(Option(name, "number", std::move(help), parse, print));
}

Option& Options::add(std::string name, std::string& target, std::string help) {
  return insert(Option(
      std::move(name), "text", std::move(help), [&target](std::string_view text) { target = text; },
      [&target] { return target; }));
}

Option& Options::add(std::string name, std::vector<std::string>& target, std::string help) {
  const auto parse = [&target](std::string_view text) {
    target.clear();
    for (const auto part : split_list(text)) target.emplace_back(part);
  };
  return insert(Option(std::move(name), "text list", std::move(help), parse,
                       [&target] { return join_list(target); }));
}

template <class T>
static Option number_list_option(std::string name, std::vector<T>& target, std::string help) {
  const auto parse = [&target, name](std::string_view text) {
    std::vector<T> values;
    for (const auto part : split_list(text))
      values.push_back(parse_number<T>(name, part, number_kind<T>()));
    target = std::move(values);
  };
  return Option(name, std::is_floating_point_v<T> ? "number list" : "int list", std::move(help),
                parse, [&target] { return join_list(target); });
}

Option& Options::add(std::string name, std::vector<double>& target, std::string help) {
  return insert(number_list_option(std::move(name), target, std::move(help)));
}
Option& Options::add(std::string name, std::vector<int>& target, std::string help) {
  return insert(number_list_option(std::move(name), target, std::move(help)));
}

const Option* Options::find(std::string_view name) const {
  for (const Option& option : options_) {
    if (option.name() == name) return &option;
    for (const std::string& other : option.aliases())
      if (other == name) return &option;
  }
  return nullptr;
}

Option& Options::must_find(std::string_view name) {
  if (const Option* option = find(name)) return const_cast<Option&>(*option);
  std::vector<std::string> known;
  for (const Option& option : options_) {
    known.push_back(option.name());
    known.insert(known.end(), option.aliases().begin(), option.aliases().end());
  }
  fail("there is no option '{}'.{}", name, did_you_mean(name, known));
}

// Whether an option of no algorithm, or of the same one, presets the other. A preset from an
// algorithm's option to another's takes effect only where the algorithm is used (TrainingSetup).
static bool is_own(const Option& option, std::string_view other) {
  return option.owner().empty() || other.starts_with(std::string(option.owner()) + ".");
}

void Options::set(std::string_view name, std::string_view text, OptionSource source) {
  Option& option = must_find(name);
  option.set(text, source);
  for (const Option::Preset& preset : option.presets())
    if (preset.when == option.value() && is_own(option, preset.other))
      set(preset.other, preset.text, OptionSource::kPreset);
}

void Options::set_assignment(std::string_view key_equals_value, OptionSource source) {
  const size_t equals = key_equals_value.find('=');
  if (equals == std::string_view::npos || equals == 0)
    fail("'{}' was given, but key=value is expected.", key_equals_value);
  set(key_equals_value.substr(0, equals), key_equals_value.substr(equals + 1), source);
}

std::string Options::to_toml() const {
  std::string text;
  // Dotted keys, so that no table header can swallow a later top-level key.
  for (const Option& option : options_) {
    if (option.omits_default() && option.value() == option.default_text()) continue;
    if (!(is_number_type(option.type()) && option.value().empty() &&
          !option.type().ends_with("list")))
      text += fmt::format("{} = {}\n", option.name(), option.toml_value());
  }
  return text;
}

std::string Options::to_markdown() const {
  std::string text = "| option | type | default | expected | meaning |\n|---|---|---|---|---|\n";
  for (const Option& option : options_) {
    std::string expected = option.expectation();
    for (size_t at = 0; (at = expected.find('|', at)) != std::string::npos; at += 2)
      expected.insert(at, 1, '\\');
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", option.name(), option.type(),
                        option.default_text().empty() ? "" : "`" + option.default_text() + "`",
                        expected, option.help());
  }
  return text;
}

}  // namespace divns
