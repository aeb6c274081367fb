// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "command_tree.h"

namespace divns::app {
namespace {

constexpr size_t kFlagColumns = 30;

struct HelpRow {
  std::string left, right;
};

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// "-o, --out TEXT"
std::string flag_cell(const Option& option) {
  const std::string letter = short_letter(option);
  std::string cell = letter.empty() ? long_flag(option) : "-" + letter + ", " + long_flag(option);
  if (option.is_flag()) return cell;
  const std::string& type = option.type();
  const std::string value = (type == "choice" ? "NAME" : upper(type.substr(0, type.find(' ')))) +
                            (type.ends_with("list") ? ",..." : "");
  return cell + (option.bare_text().empty() ? " " + value : " [" + value + "]");
}

std::string meaning_cell(const Option& option) {
  std::string text = option.help();
  const std::string expected = option.expectation();
  if (!expected.empty()) text += " [" + expected + "]";
  if (option.is_flag())
    return option.default_text() == "true"
               ? text + " (default; --no-" + long_flag(option).substr(2) + ")"
               : text;
  return option.default_text().empty() ? text : text + " (default " + option.default_text() + ")";
}

// Breaks at spaces; lines after the first begin at column `indent`.
std::string wrapped(const std::string& text, size_t indent, size_t columns) {
  std::string out;
  size_t at = indent;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const size_t length = end - begin;
    if (at > indent && at + 1 + length > columns) {
      out += "\n" + std::string(indent, ' ');
      at = indent;
    } else if (at > indent) {
      out += ' ';
      ++at;
    }
    out += text.substr(begin, length);
    at += length;
    begin = end + 1;
  }
  return out;
}

std::string rows_text(const std::string& heading, const std::vector<HelpRow>& rows,
                      size_t columns) {
  if (rows.empty()) return "";
  std::string text = "\n" + heading + ":\n";
  for (const HelpRow& row : rows) {
    const std::string left = "  " + row.left;
    text += left;
    text += left.size() + 2 > kFlagColumns ? "\n" + std::string(kFlagColumns, ' ')
                                           : std::string(kFlagColumns - left.size(), ' ');
    text += wrapped(row.right, kFlagColumns, columns) + "\n";
  }
  return text;
}

// Whether the command line names the owner of a dotted option, as in `--sampler divns --help`.
bool is_named(const CommandNode& verb, std::string_view owner) {
  for (const auto& [name, values] : verb.given)
    for (const std::string& value : values)
      for (size_t begin = 0; begin <= value.size();) {
        const size_t end = std::min(value.find_first_of(",:", begin), value.size());
        if (std::string_view(value).substr(begin, end - begin) == owner) return true;
        begin = end + 1;
      }
  return false;
}

// Headings in the order of their first option, the last of them "General".
std::vector<std::pair<std::string, std::vector<HelpRow>>> option_groups(const CommandNode& verb,
                                                                        bool all) {
  std::vector<std::pair<std::string, std::vector<HelpRow>>> groups;
  const auto rows_of = [&](const std::string& heading) -> std::vector<HelpRow>& {
    for (auto& [name, rows] : groups)
      if (name == heading) return rows;
    return groups.emplace_back(heading, std::vector<HelpRow>()).second;
  };
  std::vector<HelpRow> general;
  for (const Option& option : verb.table->all()) {
    const std::string owner(option.owner());
    if (!all && (owner.empty() ? option.is_advanced() : !is_named(verb, owner))) continue;
    const std::string heading = !owner.empty()           ? "Options of " + owner
                                : option.group().empty() ? "Options"
                                                         : option.group();
    HelpRow row{flag_cell(option), meaning_cell(option)};
    if (heading == "General")
      general.push_back(std::move(row));
    else
      rows_of(heading).push_back(std::move(row));
  }
  general.push_back({"--config FILE", "TOML file with any of these options"});
  general.push_back({"--set KEY=VALUE", "set any option by name; may be repeated"});
  general.push_back({"-h, --help", "print this help"});
  groups.emplace_back("General", std::move(general));
  return groups;
}

std::string usage(const CommandNode& verb) {
  std::string text = "Usage: " + verb.path();
  if (!verb.verbs.empty()) return text + " VERB [OPTIONS]\n";
  for (const Positional& place : verb.positionals) {
    const std::string name = upper(place.name) + (place.all != nullptr ? "..." : "");
    text += place.required ? " " + name : " [" + name + "]";
  }
  return text + (verb.table != nullptr ? " [OPTIONS]\n" : "\n");
}

}  // namespace

std::string long_flag(const Option& option) {
  std::string name = "--" + option.name();
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string short_letter(const Option& option) {
  if (option.name().size() == 1) return option.name();
  for (const std::string& alias : option.aliases())
    if (alias.size() == 1) return alias;
  return {};
}

std::string help_text(const CommandNode& verb, bool all, int columns) {
  const auto width = static_cast<size_t>(std::clamp(columns, 60, 100));
  std::string summary = verb.help;
  if (!summary.empty())
    summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
  std::string text = usage(verb) + wrapped(summary, 0, width) + "\n";
  std::vector<HelpRow> rows;
  for (const CommandNode& inner : verb.verbs) rows.push_back({inner.name, inner.help});
  text += rows_text("Verbs", rows, width);
  rows.clear();
  for (const Positional& place : verb.positionals)
    rows.push_back({upper(place.name),
                    place.choices.empty()
                        ? place.help
                        : place.help + fmt::format(" [{}]", fmt::join(place.choices, " | "))});
  text += rows_text("Arguments", rows, width);
  if (verb.table != nullptr) {
    bool has_more = false;
    for (const Option& option : verb.table->all())
      has_more = has_more || option.is_advanced() || !option.owner().empty();
    for (auto& [heading, group] : option_groups(verb, all)) {
      if (heading == "General" && has_more)
        group.push_back(
            {"--help-all", "print every option, also those of all samplers and models"});
      text += rows_text(heading, group, width);
    }
    if (has_more && !all)
      text += fmt::format("\nOptions of one sampler or model: {} {} divns --help\n", verb.path(),
                          verb.table->find("samplers") != nullptr ? "--samplers" : "--sampler");
  }
  if (verb.parent == nullptr)
    text += "\n`divns VERB --help` describes a verb, `divns --version` prints the version.\n";
  if (!verb.examples.empty()) text += "\nExamples:\n";
  for (const std::string& example : verb.examples) text += "  " + example + "\n";
  return text;
}

}  // namespace divns::app
