// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <unistd.h>

#include <set>

#include "command_tree.h"
#include "completion.h"
#include "divns/log.h"
#include "divns/version.h"
#include "exit_code.h"
#include "fail.h"
#include "stop_signal.h"

namespace divns::app {
namespace {

void run_words(CommandNode& root, const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "--version")
    return print_result(fmt::format("divns {}", kVersion));
  CommandNode& verb = parse_words(root, words);
  const bool is_bare_root = &verb == &root && words.empty();
  if (verb.wants_help || verb.wants_all_help || is_bare_root)
    return print_result(help_text(verb, verb.wants_all_help, terminal_columns(STDOUT_FILENO, 100)));
  if (!verb.run) fail("{} needs one of: {}.", verb.path(), fmt::join(verb.verb_names(), ", "));
  check_positionals(verb);
  apply_options(verb);
  verb.run();
}

// The verb that needs the whole tree.
void add_completion_verb(CommandNode& root) {
  Command verb = Command(&root).add_verb("completion", "print a completion script for a shell");
  verb.set_up_later([&root, verb]() mutable {
    static std::string shell;
    verb.positional("shell", shell, "shell to complete for", true, {"bash", "zsh"})
        .example("source <(divns completion bash)")
        .action([&root] { print_result(completion_script(root, shell)); });
  });
}

}  // namespace

Command Command::add_verb(const std::string& name, const std::string& help) {
  CommandNode& verb = node_->verbs.emplace_back();
  verb.name = name;
  verb.help = help;
  verb.parent = node_;
  return Command(&verb);
}

Command& Command::example(const std::string& line) {
  node_->examples.push_back(line);
  return *this;
}

Command& Command::positional(const std::string& name, std::string& target, const std::string& help,
                             bool required, std::vector<std::string> choices) {
  node_->positionals.push_back({name, help, required, std::move(choices), &target, nullptr});
  return *this;
}

Command& Command::positional(const std::string& name, std::vector<std::string>& target,
                             const std::string& help, bool required) {
  node_->positionals.push_back({name, help, required, {}, nullptr, &target});
  return *this;
}

Command& Command::options(Options& table) {
  node_->table = &table;
  return *this;
}

void Command::action(std::function<void()> run) {
  node_->run = std::move(run);
}

void Command::set_up_later(std::function<void()> setup) {
  node_->setup = std::move(setup);
}

void CommonOptions::declare(Options& options) {
  options.section("General");
  options.add("threads", threads, "number of threads; 0 uses every core").range(0, 256);
  options.add("quiet", quiet, "print no messages while working");
  options.add("json", json, "print the result as one JSON document");
}

void show_warnings(const CommonOptions& common) {
  if (common.quiet) return;
  // The runs of a study have the same warnings.
  set_log_callback([shown = std::set<std::string, std::less<>>()](
                       LogLevel level, std::string_view message) mutable {
    if (level == LogLevel::kWarning && shown.emplace(message).second)
      print_message(fmt::format("divns: warning: {}\n", message));
  });
}

int run_command_line(int argc, char** argv, const std::function<void(Command root)>& declare) {
  open_standard_streams();
  handle_fatal_signals();
  CommandNode root;
  root.name = "divns";
  root.help = "Diverse negative sampling for implicit-feedback recommenders.";
  int code = kDone;
  try {
    declare(Command(&root));
    add_completion_verb(root);
    run_words(root, std::vector<std::string>(argv + 1, argv + argc));
    code = exit_code_after_stop();
  } catch (...) {
    code = report_exception();
  }
  // What was printed before an error counts as well, but the first error decides.
  try {
    close_output();
  } catch (...) {
    if (code == kDone) code = report_exception();
  }
  return code;
}

}  // namespace divns::app
