// SPDX-License-Identifier: Apache-2.0
// What the verbs declare, as data: the parser, --help and shell completion all read this tree.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "divns/options.h"

namespace divns::app {

struct Positional {
  std::string name;
  std::string help;
  bool required = true;
  std::vector<std::string> choices;         // empty: a file or folder
  std::string* one = nullptr;               // the target of a single value,
  std::vector<std::string>* all = nullptr;  // or of all values that are left
};

struct CommandNode {
  std::string name;
  std::string help;
  CommandNode* parent = nullptr;
  std::deque<CommandNode> verbs;
  // Declares the rest of this node. Called once, when the verb is used or described.
  std::function<void()> setup;
  std::vector<Positional> positionals;
  std::vector<std::string> examples;
  Options* table = nullptr;
  std::function<void()> run;
  // What the parser found.
  std::map<std::string, std::vector<std::string>> given;  // option name -> values
  std::string config;
  std::vector<std::string> sets;
  bool wants_help = false;
  bool wants_all_help = false;

  // "divns data prepare".
  std::string path() const { return parent == nullptr ? name : parent->path() + " " + name; }
  CommandNode* find_verb(std::string_view verb);
  std::vector<std::string> verb_names() const;
  void set_up() {
    if (setup) std::exchange(setup, nullptr)();
  }
};

// learning_rate as --learning-rate.
std::string long_flag(const Option& option);
// "o" for an option with the alias o, or whose name is one letter; otherwise empty.
std::string short_letter(const Option& option);

// Fills `given`, `config`, `sets`, the positionals and the wishes for help of the verb that the
// words name, and returns it. Throws Error for words that are not understood.
CommandNode& parse_words(CommandNode& root, const std::vector<std::string>& words);
// Throws Error if a required positional is missing.
void check_positionals(const CommandNode& verb);
// Values from --config, --set and flags, in this order of strength.
void apply_options(const CommandNode& verb);

// The text of --help, at most `columns` wide. With `all`, every option.
std::string help_text(const CommandNode& verb, bool all, int columns);

}  // namespace divns::app
