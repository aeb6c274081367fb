// SPDX-License-Identifier: Apache-2.0
// Options are declared once, beside the algorithm they belong to:
//
//   struct SplitOptions {
//     uint64_t seed = 1;
//     double train = 0.7;
//     void declare(Options& options) {
//       options.add("seed", seed, "seed of every random choice");
//       options.add("train", train, "share of pairs for training").range(0, 1);
//     }
//   };
//
// Flags, TOML keys, `--set`, range checks, help, `divns list` and the docs table all come from that
// declaration.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace divns {

// Who set a value; a later source wins over an earlier one, in whatever order they are applied.
enum class OptionSource { kDefault, kPreset, kFile, kSet, kFlag };

// Where a tuner may look: a range on a linear or logarithmic scale, or a list of values.
struct TuneRange {
  enum class Scale { kNone, kLinear, kLog, kList };
  Scale scale = Scale::kNone;
  double low = 0;
  double high = 0;
  std::vector<std::string> values;
};

class Option {
 public:
  using Parse = std::function<void(std::string_view text)>;
  using Print = std::function<std::string()>;

  Option(std::string name, std::string type, std::string help, Parse parse, Print print);

  // Bounds of a number (of every number, for lists); both ends belong to the range unless made
  // exclusive.
  Option& range(double low, double high = std::numeric_limits<double>::infinity());
  Option& above(double low);
  Option& alias(std::string other);
  Option& choices(std::vector<std::string> names);
  Option& tune_linear(double low, double high);
  Option& tune_log(double low, double high);
  Option& tune_values(std::vector<std::string> values);
  // When this option takes the value `when`, another one takes `text`, unless it was set otherwise:
  // for names that stand for a set of values. The other option may be declared later.
  Option& preset(std::string when, std::string other, std::string text);
  // The heading under which --help lists the option; by default the section of the table.
  Option& group(std::string heading);
  // Listed by --help-all but not by --help.
  Option& advanced();
  // What a flag without a value stands for, as in `--live`; such a flag may also have one.
  Option& bare(std::string text);

  // Leaves the option out of the written configuration (to_toml) while it has its default value, so
  // that configurations written before the option existed stay byte-identical.
  Option& omit_default();

  const std::string& name() const { return name_; }
  const std::string& type() const { return type_; }
  const std::string& help() const { return help_; }
  const std::string& default_text() const { return default_text_; }
  const std::vector<std::string>& aliases() const { return aliases_; }
  const std::vector<std::string>& choice_names() const { return choices_; }
  const TuneRange& tune_range() const { return tune_; }
  const std::string& group() const { return group_; }
  bool is_advanced() const { return advanced_; }
  const std::string& bare_text() const { return bare_; }
  // The algorithm that the option belongs to: "divns" for divns.lambda, empty for seed.
  std::string_view owner() const;
  // Bounds of a number; infinite where there is none. `low` itself is excluded if `is_low_open`.
  double low() const { return low_; }
  double high() const { return high_; }
  bool is_low_open() const { return low_open_; }
  bool omits_default() const { return omit_default_; }
  struct Preset {
    std::string when, other, text;
  };
  std::span<const Preset> presets() const { return presets_; }
  OptionSource source() const { return source_; }
  bool is_flag() const { return type_ == "bool"; }

  // What may be given, in words: "0.1 to 1", "at least 1", "random | per-user", or empty.
  std::string expectation() const;
  std::string value() const { return print_(); }
  // The value as a TOML literal: numbers and booleans bare, lists as arrays, the rest quoted.
  std::string toml_value() const;
  void set(std::string_view text, OptionSource source);
  void check_number(double value, std::string_view text) const;

 private:
  std::string name_;
  std::string type_;
  std::string help_;
  Parse parse_;
  Print print_;
  std::string default_text_;
  std::vector<std::string> aliases_;
  std::vector<std::string> choices_;
  double low_ = -std::numeric_limits<double>::infinity();
  double high_ = std::numeric_limits<double>::infinity();
  bool low_open_ = false;
  TuneRange tune_;
  std::vector<Preset> presets_;
  std::string group_;
  bool advanced_ = false;
  std::string bare_;
  OptionSource source_ = OptionSource::kDefault;
  bool omit_default_ = false;
};

class Options {
 public:
  // Starts a section: options added from here on have this group.
  void section(std::string heading) { section_ = std::move(heading); }

  // Targets must outlive the table; their present values are the defaults.
  Option& add(std::string name, bool& target, std::string help);
  Option& add(std::string name, int& target, std::string help);
  Option& add(std::string name, int64_t& target, std::string help);
  Option& add(std::string name, uint64_t& target, std::string help);
  Option& add(std::string name, double& target, std::string help);
  // A number that may be left open: empty text means that it is not set.
  Option& add(std::string name, std::optional<double>& target, std::string help);
  Option& add(std::string name, std::string& target, std::string help);
  Option& add(std::string name, std::vector<std::string>& target, std::string help);
  Option& add(std::string name, std::vector<double>& target, std::string help);
  Option& add(std::string name, std::vector<int>& target, std::string help);

  // One of a few names, each standing for a value of an enumeration.
  template <class Enum>
  Option& add_choice(std::string name, Enum& target,
                     std::vector<std::pair<std::string, Enum>> names, std::string help) {
    std::vector<std::string> keys;
    for (const auto& entry : names) keys.push_back(entry.first);
    auto parse = [&target, names](std::string_view text) {
      for (const auto& entry : names)
        if (entry.first == text) target = entry.second;
    };
    auto print = [&target, names] {
      for (const auto& entry : names)
        if (entry.second == target) return entry.first;
      return std::string();
    };
    return insert(Option(std::move(name), "choice", std::move(help), parse, print))
        .choices(std::move(keys));
  }

  // Rows of another table, but for those of these names; they go on setting that table's targets.
  void include(const Options& other, std::span<const std::string_view> except = {});
  // Limits an option that was declared before to these values, for names that only the caller
  // knows.
  void restrict_to(std::string_view name, std::vector<std::string> values);

  // Both throw Error for an unknown name (with the nearest known one) or a value out of range.
  void set(std::string_view name, std::string_view text, OptionSource source);
  void set_assignment(std::string_view key_equals_value, OptionSource source);
  // Every key of a TOML file; tables give dotted names. Errors name the file, line and column.
  void load_toml(const std::string& path, OptionSource source = OptionSource::kFile);

  const Option* find(std::string_view name) const;
  std::span<const Option> all() const { return options_; }
  // The resolved values as a TOML document that load_toml reads back to the same values; without
  // the options that are left out while they have their default (Option::omit_default).
  std::string to_toml() const;
  // A Markdown table: name, type, default, what may be given, meaning.
  std::string to_markdown() const;

 private:
  Option& insert(Option option);
  Option& must_find(std::string_view name);

  std::vector<Option> options_;
  std::string section_;
};

}  // namespace divns
