// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "divns/did_you_mean.h"

namespace divns {

// Named entries of one kind ("sampler", "loss"): the built-in ones, then those that the program
// registers. What include/divns/registry.h promises.
template <class Entry>
class EntryList {
 public:
  EntryList(std::string_view kind, std::vector<Entry> built_in)
      : kind_(kind), entries_(std::move(built_in)) {}

  std::span<const Entry> all() const { return entries_; }

  template <class HasFunction>
  void add(Entry entry, HasFunction&& has_function) {
    if (entry.name.empty()) fail("a registered {} needs a name.", kind_);
    if (!has_function(entry))
      fail("the registered {} '{}' needs a function that makes it.", kind_, entry.name);
    for (const Entry& known : entries_)
      if (known.name == entry.name)
        fail("there is a {} '{}' already. Register yours under another name.", kind_, entry.name);
    entries_.push_back(std::move(entry));
  }

  const Entry& find(std::string_view name) const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) {
      if (entry.name == name) return entry;
      names.push_back(entry.name);
    }
    fail("there is no {} '{}'.{}", kind_, name, did_you_mean(name, names));
  }

 private:
  std::string_view kind_;
  std::vector<Entry> entries_;
};

}  // namespace divns
