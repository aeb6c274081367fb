// SPDX-License-Identifier: Apache-2.0
// The words of a command line, separated by zero bytes as the system passes them.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command_tree.h"
#include "divns/error.h"
#include "divns/train.h"

namespace {

// The table is made again only if the last input has set an option: making it takes most of the
// time.
divns::Options& default_options() {
  static std::optional<divns::TrainingTable> table;
  const auto is_set = [](const divns::Option& option) {
    return option.source() != divns::OptionSource::kDefault;
  };
  if (!table || std::ranges::any_of(table->options().all(), is_set)) table.emplace();
  return table->options();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::string> words;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty() && words.size() < 64) {
    const size_t end = std::min(rest.find('\0'), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::string one;
  std::vector<std::string> all;
  divns::app::CommandNode root;
  root.name = "divns";
  divns::app::CommandNode& train = root.verbs.emplace_back();
  train.name = "train";
  train.parent = &root;
  train.table = &default_options();
  train.positionals = {{"data", "a folder", true, {}, &one, nullptr},
                       {"more", "files", false, {}, nullptr, &all}};
  try {
    divns::app::CommandNode& verb = divns::app::parse_words(root, words);
    divns::app::check_positionals(verb);
    verb.config.clear();  // the TOML reader has a target of its own
    divns::app::apply_options(verb);
  } catch (const divns::Error&) {
  }
  return 0;
}
