// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "command_tree.h"
#include "divns/did_you_mean.h"
#include "fail.h"

namespace divns::app {
namespace {

// Flags may be written with underscores.
std::string dashed(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

bool is_flag_word(std::string_view word) {
  return word.size() > 1 && word[0] == '-';
}

// A flag that the parser knows: an option of the table (negated by --no-), --config, --set or help.
struct Flag {
  const Option* option = nullptr;
  bool negated = false;
  std::string* text = nullptr;
  std::vector<std::string>* texts = nullptr;
  bool* wish = nullptr;

  bool takes_value() const {
    return text != nullptr || texts != nullptr || (option != nullptr && !option->is_flag());
  }
};

class Parser {
 public:
  Parser(CommandNode& verb, const std::vector<std::string>& words, size_t at)
      : verb_(verb), words_(words), at_(at) {}

  void parse() {
    bool only_positionals = false;
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (only_positionals || !is_flag_word(word))
        take_positional(word);
      else if (word == "--")
        only_positionals = true;
      else
        take_flag(word);
    }
  }

 private:
  std::optional<Flag> find_flag(std::string_view word) const {
    if (word == "--help" || word == "-h") return Flag{.wish = &verb_.wants_help};
    if (word == "--help-all") return Flag{.wish = &verb_.wants_all_help};
    if (verb_.table == nullptr) return std::nullopt;
    if (word == "--config") return Flag{.text = &verb_.config};
    if (word == "--set") return Flag{.texts = &verb_.sets};
    const bool is_long = word.starts_with("--");
    const std::string name = dashed(word.substr(is_long ? 2 : 1));
    if (!is_long && name.size() != 1) return std::nullopt;
    for (const Option& option : verb_.table->all()) {
      const auto matches = [&](const std::string& other) {
        return dashed(other) == name &&
               (is_long ? other.size() > 1 || other == option.name() : other.size() == 1);
      };
      if (matches(option.name()) ||
          std::any_of(option.aliases().begin(), option.aliases().end(), matches))
        return Flag{.option = &option};
      if (is_long && option.is_flag() && name == "no-" + dashed(option.name()))
        return Flag{.option = &option, .negated = true};
    }
    return std::nullopt;
  }

  [[noreturn]] void unknown(const std::string& word) const {
    std::vector<std::string> known = {"help", "help-all"};
    if (verb_.table != nullptr) {
      known.insert(known.end(), {"config", "set"});
      for (const Option& option : verb_.table->all()) known.push_back(dashed(option.name()));
    }
    const size_t begin = word.find_first_not_of('-');
    const std::string near =
        nearest_name(dashed(std::string_view(word).substr(std::min(begin, word.size()))), known);
    fail("'{}' has no flag {}.{} '{} --help' lists the flags.", verb_.path(), word,
         near.empty() ? "" : fmt::format(" Did you mean '--{}'?", near), verb_.path());
  }

  void take_flag(const std::string& word) {
    std::string name = word.substr(0, word.find('='));
    std::optional<std::string> value;
    if (name.size() < word.size()) value = word.substr(name.size() + 1);
    if (!name.starts_with("--") && name.size() > 2) {  // -k5
      value = word.substr(2);
      name = word.substr(0, 2);
    }
    const std::optional<Flag> flag = find_flag(name);
    if (!flag) unknown(name);
    if (flag->wish != nullptr) {
      *flag->wish = true;
      return;
    }
    if (!flag->takes_value()) {
      if (flag->negated && value) fail("{} takes no value, but '{}' was given.", name, *value);
      verb_.given[flag->option->name()] = {flag->negated ? "false" : value.value_or("true")};
      return;
    }
    if (!value) value = next_value(name, *flag);
    if (flag->text != nullptr) *flag->text = *value;
    if (flag->texts != nullptr) flag->texts->push_back(*value);
    if (flag->option == nullptr) return;
    auto& given = verb_.given[flag->option->name()];
    if (!flag->option->type().ends_with("list")) given.clear();
    given.push_back(*value);
  }

  std::string next_value(const std::string& name, const Flag& flag) {
    const std::string bare = flag.option == nullptr ? "" : flag.option->bare_text();
    if (!bare.empty() && (at_ == words_.size() || is_flag_word(words_[at_]))) return bare;
    const bool missing =
        at_ == words_.size() || (words_[at_].starts_with("--") && find_flag(words_[at_]));
    if (!missing) return words_[at_++];
    if (flag.option == nullptr)
      fail("{} needs a value: {}.", name, flag.text != nullptr ? "a TOML file" : "key=value");
    const std::string expected = flag.option->expectation();
    fail("{} needs a value: {}{}.", name, flag.option->help(),
         expected.empty() ? "" : fmt::format(" [{}]", expected));
  }

  void take_positional(const std::string& word) {
    for (Positional& place : verb_.positionals) {
      if (place.all != nullptr) {
        place.all->push_back(word);
        return;
      }
      if (place.one->empty()) {
        *place.one = word;
        return;
      }
    }
    fail("'{}' was not expected; see '{} --help'.", word, verb_.path());
  }

  CommandNode& verb_;
  const std::vector<std::string>& words_;
  size_t at_;
};

}  // namespace

CommandNode* CommandNode::find_verb(std::string_view verb) {
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const CommandNode& node) { return node.name == verb; });
  return found == verbs.end() ? nullptr : &*found;
}

std::vector<std::string> CommandNode::verb_names() const {
  std::vector<std::string> names;
  for (const CommandNode& verb : verbs) names.push_back(verb.name);
  return names;
}

CommandNode& parse_words(CommandNode& root, const std::vector<std::string>& words) {
  CommandNode* node = &root;
  size_t at = 0;
  // `divns help data prepare` reads as `divns data prepare --help`.
  const bool help_first = !words.empty() && words[0] == "help";
  if (help_first) ++at;
  while (!node->verbs.empty() && at < words.size() && !is_flag_word(words[at])) {
    CommandNode* verb = node->find_verb(words[at]);
    const std::vector<std::string> names = node->verb_names();
    if (verb == nullptr)
      fail("'{}' has no verb '{}'.{} The verbs are: {}.", node->path(), words[at],
           did_you_mean(words[at], names), fmt::join(names, ", "));
    node = verb;
    ++at;
  }
  node->set_up();
  Parser(*node, words, at).parse();
  node->wants_help = node->wants_help || help_first;
  return *node;
}

namespace {

void check_choice(const CommandNode& verb, const Positional& place) {
  if (std::find(place.choices.begin(), place.choices.end(), *place.one) != place.choices.end())
    return;
  fail("{} knows no '{}'.{} It knows: {}.", verb.path(), *place.one,
       did_you_mean(*place.one, place.choices), fmt::join(place.choices, ", "));
}

}  // namespace

void check_positionals(const CommandNode& verb) {
  for (const Positional& place : verb.positionals) {
    const bool missing = place.all != nullptr ? place.all->empty() : place.one->empty();
    if (!missing && !place.choices.empty()) check_choice(verb, place);
    if (!place.required || !missing) continue;
    if (!place.choices.empty())
      fail("{} needs one of: {}.", verb.path(), fmt::join(place.choices, ", "));
    fail("{} needs {}: {}. For example: {}", verb.path(), place.name, place.help,
         verb.examples.empty() ? verb.path() + " --help" : verb.examples.front());
  }
}

void apply_options(const CommandNode& verb) {
  if (verb.table == nullptr) return;
  if (!verb.config.empty()) verb.table->load_toml(verb.config);
  for (const std::string& assignment : verb.sets)
    verb.table->set_assignment(assignment, OptionSource::kSet);
  for (const auto& [name, values] : verb.given)
    verb.table->set(name, fmt::format("{}", fmt::join(values, ",")), OptionSource::kFlag);
}

}  // namespace divns::app
