// SPDX-License-Identifier: Apache-2.0
#include "data/layout.h"
#include "divns/prepare.h"

namespace divns {

void PrepareOptions::declare(Options& options) {
  std::vector<std::string> formats;
  for (const FormatInfo& format : known_formats()) formats.push_back(format.name);
  options.add("format", layout.format, "format of the input").choices(formats);
  options.add_choice("encoding", encoding,
                     {{"auto", Encoding::kAuto},
                      {"utf-8", Encoding::kUtf8},
                      {"latin-1", Encoding::kLatin1},
                      {"utf-16", Encoding::kUtf16}},
                     "encoding of the inputs and of the titles");
  options.add("delimiter", layout.delimiter,
              "separator of the fields: tab, comma, space, | or :: (default: detected)");
  options.add("user_column", layout.user_column,
              "column of the user: header name, JSON key, or number from 1");
  options.add("item_column", layout.item_column, "column of the item, given likewise");
  options.add("rating_column", layout.rating_column, "column of the rating, given likewise");
  options.add("time_column", layout.time_column, "column of the time, given likewise");
  options.add("min_rating", min_rating, "drop pairs with a lower rating");
  options.add("since", since,
              "drop pairs before this time: a number, or a date such as 2018-07-07");
  options.add("until", until, "drop pairs after this time");
  options
      .add("k_core", k_core,
           "drop users and items with fewer pairs, repeatedly, until all that remain have as many")
      .range(0, 1e9);
  options.add("user_core", user_core, "likewise, for users only").range(0, 1e9);
  options.add("item_core", item_core, "likewise, for items only").range(0, 1e9);
  split.declare(options);
  options.add("seed", seed, "seed of the split");
  options.add("valid_file", valid_file,
              "file with your own validation part; the inputs are then the training part");
  options.add("test_file", test_file,
              "file with your own test part; the inputs are then the training part");
  options
      .add("valid_share", valid_share,
           "share of the training pairs to move to the validation part at random, with --test-file")
      .range(0, 0.9);
  options.add("item_names", item_names, "file with an item id and its title on each line");
  options.add("item_name_column", item_name_column,
              "header name or number of the title's column (default 2)");
  options.add("memory_limit", memory_limit,
              "memory to use, for example 2G: beyond it, pairs wait on disk (default: half of the "
              "machine's memory)");
  options.add("scratch", scratch,
              "folder for pairs on disk; the folder for temporary files if unset");
  options.add("overwrite", overwrite, "replace an existing prepared dataset");
}

void PrepareOptions::set(std::string_view name, std::string_view text) {
  Options table;
  declare(table);
  table.set(name, text, OptionSource::kSet);
}

}  // namespace divns
