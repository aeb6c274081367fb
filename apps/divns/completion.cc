// SPDX-License-Identifier: Apache-2.0
#include "completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace divns::app {
namespace {

// A verb's place in the tree as a pattern of the script: /data/prepare.
std::string place_of(const CommandNode& node) {
  return node.parent == nullptr ? "" : place_of(*node.parent) + "/" + node.name;
}

void add_places(CommandNode& node, std::vector<std::string>& places) {
  node.set_up();
  if (node.parent != nullptr) places.push_back(place_of(node));
  for (CommandNode& verb : node.verbs) add_places(verb, places);
}

std::string flag_pattern(const Option& option) {
  const std::string letter = short_letter(option);
  return letter.empty() ? long_flag(option) : "-" + letter + "|" + long_flag(option);
}

// One branch for each flag that takes a value: its choices, files for a text, nothing for a number.
std::string value_branches(const Options& table) {
  std::string text = "        --config) files=1 ;;\n        --set) values='";
  for (const Option& option : table.all()) text += option.name() + "= ";
  text += "' ;;\n";
  for (const Option& option : table.all()) {
    if (option.is_flag()) continue;
    std::string action;
    if (!option.choice_names().empty())
      action = fmt::format("values='{}' ", fmt::join(option.choice_names(), " "));
    else if (option.type().starts_with("text"))
      action = "files=1 ";
    text += fmt::format("        {}) {};;\n", flag_pattern(option), action);
  }
  return text;
}

std::string branch_of(const CommandNode& node) {
  std::string flags = "--help";
  std::string values = "        '') ;;\n";
  if (node.parent == nullptr) flags += " --version";
  if (node.table != nullptr) {
    flags += " --help-all --config --set";
    for (const Option& option : node.table->all()) flags += " " + long_flag(option);
    values += value_branches(*node.table);
  }
  std::string rest;
  if (!node.verbs.empty())
    rest = fmt::format("values='{}{}' ", node.parent == nullptr ? "help " : "",
                       fmt::join(node.verb_names(), " "));
  else if (!node.positionals.empty() && !node.positionals[0].choices.empty())
    rest = fmt::format("values='{}' ", fmt::join(node.positionals[0].choices, " "));
  else if (!node.positionals.empty())
    rest = "files=1 ";
  return fmt::format(
      "    '{}')\n"
      "      case \"$before\" in\n{}"
      "        *) case \"$current\" in -*) values='{}' ;; *) {};; esac ;;\n"
      "      esac ;;\n",
      place_of(node), values, flags, rest);
}

std::string all_branches(const CommandNode& node) {
  std::string text = branch_of(node);
  for (const CommandNode& verb : node.verbs) text += all_branches(verb);
  return text;
}

// The parts that differ: how the shell names the words of the line, and how it takes the answer.
constexpr std::string_view kBashStart =
    "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "  local at= values= files= word\n"
    "  COMPREPLY=()\n"
    "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n";
constexpr std::string_view kBashEnd =
    "  if [ -n \"$values\" ]; then\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$current\")\n"
    "    case \"${COMPREPLY[0]}\" in *=) compopt -o nospace 2>/dev/null ;; esac\n"
    "  elif [ -n \"$files\" ]; then\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
    "  fi\n"
    "}\n"
    "complete -F _divns divns\n";
constexpr std::string_view kZshStart =
    "  local current=${words[CURRENT]} before=${words[CURRENT-1]}\n"
    "  local at= values= files= word\n"
    "  for word in \"${(@)words[2,CURRENT-1]}\"; do\n";
constexpr std::string_view kZshEnd =
    "  if [[ -n $values ]]; then\n"
    "    compadd -- ${=values}\n"
    "  elif [[ -n $files ]]; then\n"
    "    _files\n"
    "  fi\n"
    "}\n"
    "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _divns \"$@\"; else compdef _divns "
    "divns; fi\n";

}  // namespace

std::string completion_script(CommandNode& root, const std::string& shell) {
  const bool bash = shell == "bash";
  std::vector<std::string> places;
  add_places(root, places);
  return fmt::format(
      "{}\n# Printed by `divns completion {}`.\n_divns() {{\n{}"
      "    case \"$at/$word\" in\n"
      "      {}) at=\"$at/$word\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$at\" in\n{}"
      "  esac\n{}",
      bash ? "# bash completion for divns" : "#compdef divns", shell, bash ? kBashStart : kZshStart,
      fmt::join(places, "|"), all_branches(root), bash ? kBashEnd : kZshEnd);
}

}  // namespace divns::app
