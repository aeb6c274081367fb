// SPDX-License-Identifier: Apache-2.0
// How a verb declares itself. Flags come from the same options tables that TOML files, `--set` and
// the docs use.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "divns/options.h"
#include "streams.h"

namespace divns::app {

struct CommandNode;

// One verb, or a group of verbs.
class Command {
 public:
  Command add_verb(const std::string& name, const std::string& help);
  // An example is shown at the end of --help.
  Command& example(const std::string& line);

  // With `choices`, one of these values; without, a file or folder.
  Command& positional(const std::string& name, std::string& target, const std::string& help,
                      bool required = true, std::vector<std::string> choices = {});
  Command& positional(const std::string& name, std::vector<std::string>& target,
                      const std::string& help, bool required = true);
  // Every option of the table becomes a flag (`learning_rate` is --learning-rate, `k` is --k and
  // -k, a one-letter alias `o` is -o), and the verb accepts --config FILE and --set key=value for
  // the same table. The table must live as long as the program.
  Command& options(Options& table);
  // What the verb does once everything is parsed. exit_code.h tells what exceptions lead to.
  void action(std::function<void()> run);
  // Called when the verb is used or described, so that the tables of other verbs cost nothing.
  void set_up_later(std::function<void()> setup);

  explicit Command(CommandNode* node) : node_(node) {}

 private:
  CommandNode* node_;
};

// Keeps a verb's state alive for the whole program and lets it set itself up when it is used:
//   struct MyVerb { explicit MyVerb(Command verb); ... };
template <class Verb>
void install(Command verb) {
  verb.set_up_later([verb] { static const auto kept = std::make_unique<Verb>(verb); });
}

// --threads, --quiet and --json, which mean the same for every verb.
struct CommonOptions {
  int threads = 0;
  bool quiet = false;
  bool json = false;
  void declare(Options& options);
};

// A message for a person on standard error; print_result writes results to standard output.
template <class... Args>
void say(const CommonOptions& common, fmt::format_string<Args...> text, Args&&... args) {
  if (!common.quiet) print_message(fmt::format(text, std::forward<Args>(args)...) + "\n");
}

// Prints the warnings of the library on standard error, each once, unless --quiet was given.
void show_warnings(const CommonOptions& common);

// Declares all verbs, parses, runs. Returns the exit code (exit_code.h).
int run_command_line(int argc, char** argv, const std::function<void(Command root)>& declare);

}  // namespace divns::app
