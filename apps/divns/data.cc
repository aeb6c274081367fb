// SPDX-License-Identifier: Apache-2.0
#include "divns/verbs.h"

namespace divns::app {
namespace {

struct Probe {
  CommonOptions common;
  std::vector<std::string> inputs;
  Options options;

  explicit Probe(Command verb) {
    common.declare(options);
    verb.positional("input", inputs, "files").options(options).action([this] {
      say(common, "{} inputs", inputs.size());
    });
  }
};

}  // namespace

void add_data_verbs(Command root) {
  Command data = root.add_verb("data", "prepare, inspect and make datasets");
  install<Probe>(
      data.add_verb("prepare", "read interactions, filter, split, write a prepared dataset"));
}

}  // namespace divns::app
