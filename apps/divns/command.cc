// SPDX-License-Identifier: Apache-2.0
#include "divns/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <new>

#include "base/nearest.h"
#include "divns/error.h"
#include "divns/version.h"

namespace divns::app {

struct Command::Node {
  CLI::App* app = nullptr;
  std::string group;  // the words before this one, "divns data" for "prepare"
  std::deque<Node> verbs;
  Options* table = nullptr;
  std::map<std::string, std::vector<std::string>> flags;  // option name -> what was given for it
  std::string config;
  std::vector<std::string> sets;
  std::function<void()> run;

  // The verb that was chosen, however deep.
  Node* chosen() {
    for (Node& verb : verbs)
      if (verb.app->parsed()) return verb.chosen();
    return this;
  }
  std::string path() const {
    return group.empty() ? app->get_name() : group + " " + app->get_name();
  }
  std::string help() const { return app->help(group); }
  void apply_options() {
    if (table == nullptr) return;
    if (!config.empty()) table->load_toml(config);
    for (const std::string& assignment : sets)
      table->set_assignment(assignment, OptionSource::kSet);
    for (const auto& [name, given] : flags) {
      if (given.empty()) continue;
      table->set(name, fmt::format("{}", fmt::join(given, ",")), OptionSource::kFlag);
    }
  }
};

namespace {

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string flag_names(const Option& option) {
  std::vector<std::string> names = {option.name()};
  names.insert(names.end(), option.aliases().begin(), option.aliases().end());
  std::vector<std::string> flags;
  for (const std::string& name : names) {
    if (name.size() == 1) {
      flags.push_back("-" + name);
      if (name != option.name()) continue;  // a letter that is the name itself is --k as well
    }
    const std::string flag = "--" + dashed(name);
    flags.push_back(flag);
    if (dashed(name) != name) flags.push_back("--" + name);
  }
  return fmt::format("{}", fmt::join(flags, ","));
}

std::string help_line(const Option& option) {
  std::string text = option.help();
  const std::string expected = option.expectation();
  if (!expected.empty()) text += " [" + expected + "]";
  if (!option.default_text().empty() && !option.is_flag())
    text += " (default " + option.default_text() + ")";
  if (option.is_flag() && option.default_text() == "true") text += " (default: yes)";
  return text;
}

void add_flag(Command::Node& node, const Option& option) {
  auto& given = node.flags[option.name()];
  if (option.is_flag()) {
    node.app->add_flag_function(
        flag_names(option), [&given](int64_t) { given = {"true"}; }, help_line(option));
    if (option.default_text() == "true")
      node.app->add_flag_function(
          "--no-" + dashed(option.name()), [&given](int64_t) { given = {"false"}; },
          "the opposite of --" + dashed(option.name()));
    return;
  }
  CLI::Option* flag = node.app->add_option(flag_names(option), given, help_line(option));
  flag->type_name("<" + option.type() + ">");
  if (option.type().ends_with("list"))
    flag->expected(1)->take_all();
  else
    flag->expected(1)->take_last();
  // Or the flag would swallow a positional that follows its value.
  flag->allow_extra_args(false);
}

// CLI11 only says which words were left over; say which known flag or verb is nearest.
std::string leftover_sentence(Command::Node& root) {
  Command::Node* verb = root.chosen();
  for (const std::string& word : root.app->remaining(true)) {
    std::vector<std::string> known;
    if (word.starts_with("-")) {
      for (const CLI::Option* option : verb->app->get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
      return fmt::format("'{}' has no flag {}.{} '{} --help' lists them all.", verb->path(), word,
                         did_you_mean(word.substr(0, word.find('=')), known), verb->path());
    }
    for (const auto& inner : verb->verbs) known.push_back(inner.app->get_name());
    if (!known.empty())
      return fmt::format("'{}' has no verb '{}'.{} The verbs are: {}.", verb->path(), word,
                         did_you_mean(word, known), fmt::join(known, ", "));
    return fmt::format("'{}' was not expected; see '{} --help'.", word, verb->path());
  }
  return {};
}

int complain(std::string_view sentence) {
  fmt::print(stderr, "divns: {}\n", sentence);
  return 2;
}

int parse_and_run(Command::Node& root, int argc, char** argv) {
  try {
    root.app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", root.chosen()->help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    fmt::print("divns {}\n", kVersion);
    return 0;
  } catch (const CLI::ParseError& error) {
    const std::string sentence = leftover_sentence(root);
    return complain(sentence.empty() ? std::string(error.what()) + "." : sentence);
  }
  Command::Node* verb = root.chosen();
  if (!verb->run) {
    fmt::print("{}", verb->help());
    return verb == &root ? 0 : 2;
  }
  verb->apply_options();
  verb->run();
  return 0;
}

}  // namespace

Command Command::add_verb(const std::string& name, const std::string& help) {
  Node& verb = node_->verbs.emplace_back();
  verb.group = node_->path();
  verb.app = node_->app->add_subcommand(name, help);
  return Command(&verb);
}

Command& Command::example(const std::string& line) {
  const std::string so_far = node_->app->get_footer();
  node_->app->footer((so_far.empty() ? "\nExamples:" : so_far) + "\n  " + line);
  return *this;
}

Command& Command::positional(const std::string& name, std::string& target, const std::string& help,
                             bool required) {
  node_->app->add_option(name, target, help)->required(required)->type_name("");
  return *this;
}

Command& Command::positional(const std::string& name, std::vector<std::string>& target,
                             const std::string& help, bool required) {
  node_->app->add_option(name, target, help)->required(required)->type_name("");
  return *this;
}

Command& Command::options(Options& table) {
  node_->table = &table;
  node_->app->add_option("--config", node_->config, "a TOML file with any of these options")
      ->type_name("FILE");
  node_->app->add_option("--set", node_->sets, "key=value, any of these options; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  for (const Option& option : table.all()) add_flag(*node_, option);
  return *this;
}

void Command::action(std::function<void()> run) {
  node_->run = std::move(run);
}

void CommonOptions::declare(Options& options) {
  options.add("threads", threads, "threads to work with; 0 takes every core").range(0, 256);
  options.add("quiet", quiet, "no messages while working");
  options.add("json", json, "print the result as one JSON document");
}

void print_result(std::string_view text) {
  fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
}

int run_command_line(int argc, char** argv, const std::function<void(Command root)>& declare) {
  CLI::App app("Diverse negative sampling for implicit-feedback recommenders.", "divns");
  app.set_version_flag("--version", "the version of divns");
  app.get_formatter()->label("Subcommands", "Verbs");
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  Command::Node root;
  root.app = &app;
  try {
    declare(Command(&root));
    return parse_and_run(root, argc, argv);
  } catch (const Error& error) {
    return complain(error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "divns: there is not enough memory for this.\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "divns: this is a bug in divns, please report it: {}\n", error.what());
  }
  return 1;
}

}  // namespace divns::app
