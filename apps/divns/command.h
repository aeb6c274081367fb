// SPDX-License-Identifier: Apache-2.0
// The command line, behind a wall: only command.cc includes CLI11 (it is slow to compile), and
// every verb declares its flags through the same options tables that TOML files, `--set` and the
// docs use.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/options.h"

namespace divns::app {

// One verb, or a group of verbs.
class Command {
 public:
  Command add_verb(const std::string& name, const std::string& help);
  // An example is shown at the end of --help.
  Command& example(const std::string& line);

  Command& positional(const std::string& name, std::string& target, const std::string& help,
                      bool required = true);
  Command& positional(const std::string& name, std::vector<std::string>& target,
                      const std::string& help, bool required = true);
  // Every option of the table becomes a flag (`learning_rate` is --learning-rate, `k` is --k and -k,
  // a one-letter alias `o` is -o), and the verb accepts --config FILE and --set key=value for the
  // same table. The table must live as long as the program.
  Command& options(Options& table);
  // What the verb does once everything is parsed. Errors thrown end the program with code 2.
  void action(std::function<void()> run);

  struct Node;
  explicit Command(Node* node) : node_(node) {}

 private:
  Node* node_;
};

// Keeps a verb's state alive for the whole program and lets it set itself up:
//   struct MyVerb { explicit MyVerb(Command verb); ... };
template <class Verb>
void install(Command verb) {
  static const auto kept = std::make_unique<Verb>(verb);
}

// --threads, --quiet and --json, which mean the same for every verb.
struct CommonOptions {
  int threads = 0;
  bool quiet = false;
  bool json = false;
  void declare(Options& options);
};

// Results go to standard output; everything for a person's eyes while they wait goes to standard
// error.
void print_result(std::string_view text);
template <class... Args>
void say(const CommonOptions& common, fmt::format_string<Args...> text, Args&&... args) {
  if (!common.quiet) fmt::print(stderr, "{}\n", fmt::format(text, std::forward<Args>(args)...));
}

// Declares all verbs, parses, runs. Returns the exit code: 0 done, 2 what was given is wrong, 1
// anything else.
int run_command_line(int argc, char** argv, const std::function<void(Command root)>& declare);

}  // namespace divns::app
