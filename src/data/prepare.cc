// SPDX-License-Identifier: Apache-2.0
#include "divns/prepare.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/check.h"
#include "base/json.h"
#include "data/dataset_writer.h"
#include "data/filters.h"
#include "data/item_titles.h"
#include "data/layout.h"
#include "data/line_parser.h"
#include "data/reader.h"
#include "data/sort_pairs.h"
#include "data/split.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

uint64_t default_memory_limit() {
  return static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

int64_t time_bound(const std::string& text, const char* name, int64_t open_end) {
  if (text.empty()) return open_end;
  try {
    return parse_time(text, 0);
  } catch (const LineError&) {
    fail("{} is '{}', but a number or a date like 2018-07-07 is expected.", name, text);
  }
}

ReadRequest read_request(const PrepareOptions& options) {
  ReadRequest request;
  request.layout = options.layout;
  request.encoding = options.encoding;
  request.filter.min_rating = options.min_rating.value_or(-std::numeric_limits<double>::infinity());
  request.filter.from_time = time_bound(options.since, "since", INT64_MIN);
  request.filter.until_time = time_bound(options.until, "until", INT64_MAX);
  request.keep_times = needs_times(options.split.method);
  request.keep_times_if_any = options.split.method == SplitMethod::kLeaveOneOut;
  request.memory_limit = options.memory_limit_mb == 0 ? default_memory_limit()
                         : options.memory_limit_mb > UINT64_MAX >> 20
                             ? UINT64_MAX
                             : options.memory_limit_mb << 20;
  return request;
}

std::string describe(const Layout& layout) {
  switch (layout.kind) {
    case Layout::Kind::kAdjacency:
      return "adjacency: a user and their items on each line";
    case Layout::Kind::kJsonLines:
      return fmt::format("{}: a JSON object a line; user {}, item {}, rating {}, time {}",
                         layout.format, layout.user_key, layout.item_key,
                         layout.rating_key.empty() ? "none" : layout.rating_key,
                         layout.time_key.empty() ? "none" : layout.time_key);
    case Layout::Kind::kMemory:
      return "memory: pairs given by the calling program";
    case Layout::Kind::kDelimited:
      break;
  }
  const auto column = [](int index) {
    return index < 0 ? std::string("none") : fmt::format("column {}", index + 1);
  };
  return fmt::format("{}: divided by {}, {}; user {}, item {}, rating {}, time {}", layout.format,
                     describe_delimiter(layout.delimiter),
                     layout.header ? "with a header" : "no header", column(layout.user),
                     column(layout.item), column(layout.rating), column(layout.time));
}

// Where the pairs come from: the sources of the training part, then the caller's own validation and
// test part where there are any.
struct PairSources {
  std::function<void(PairReader&)> read;
  size_t train = 1;  // number of sources of the training part
  bool valid = false;
  bool test = false;
  std::vector<std::string> names;  // for the recipe
  bool only_train = false;         // the caller's split has no other parts

  bool own_split() const { return valid || test || only_train; }
};

// The state that passes through the steps.
struct Preparation {
  const PrepareOptions& options;
  const Executor& executor;
  PrepareReport report;
  PairList pairs;
  std::array<Rows, 3> parts;

  void step(const std::string& what, uint64_t left, uint64_t before) {
    report.steps.push_back({what, left, pairs.users(), pairs.items(), before - left});
  }

  void read(const PairSources& sources) {
    PairReader reader(read_request(options), executor);
    sources.read(reader);
    PairReader::Result result = reader.finish(!sources.own_split());
    const auto& counts = reader.counts();
    report.format = describe(reader.layouts()[0]);
    pairs.user_ids = std::move(result.user_ids);
    pairs.item_ids = std::move(result.item_ids);
    uint64_t left = counts.pairs;
    report.steps.push_back({"read", left, 0, 0, 0});
    if (options.min_rating)
      step(fmt::format("rating at least {}", *options.min_rating), left - counts.below_rating,
           left);
    left -= counts.below_rating;
    if (!options.since.empty() || !options.until.empty())
      step("time window", left - counts.outside_time, left);
    left -= counts.outside_time;
    uint64_t distinct = 0;
    for (const PairList& file : result.files) distinct += file.size();
    step("repeated pairs merged", distinct, left);
    if (distinct == 0) fail("no pair is left after the rating and time filters; loosen them.");
    if (sources.own_split()) {
      take_parts(result.files, sources);
    } else {
      pairs.rows = std::move(result.files[0].rows);
      pairs.times = std::move(result.files[0].times);
    }
  }

  void filter() {
    const int users = std::max(options.k_core, options.user_core);
    const int items = std::max(options.k_core, options.item_core);
    if (users <= 1 && items <= 1) return;
    const uint64_t before = pairs.size();
    const int rounds = keep_core(pairs, static_cast<uint32_t>(users), static_cast<uint32_t>(items));
    if (pairs.size() == 0)
      fail("the {}-core of users and {}-core of items is empty; choose smaller numbers.", users,
           items);
    step(fmt::format("core of {} a user, {} an item ({} rounds)", users, items, rounds),
         pairs.size(), before);
  }

  void split() {
    const PartLabels labels = split_pairs(pairs, options.split.request(options.seed), executor);
    parts = rows_by_part(pairs.rows, labels, executor);
  }

  // The caller's own split: several training files are merged, the others stay apart.
  void take_parts(std::vector<PairList>& files, const PairSources& sources) {
    for (Rows& part : parts) part.offsets.assign(size_t{pairs.users()} + 1, 0);
    parts[kTrain] = sources.train == 1 ? std::move(files[0].rows)
                                       : merged(std::span(files).first(sources.train));
    if (options.valid_share > 0) cut_validation();
    size_t next = sources.train;
    if (sources.valid) parts[kValid] = std::move(files[next++].rows);
    if (sources.test) parts[kTest] = std::move(files[next].rows);
  }

  void cut_validation() {
    PairList training;
    training.rows = std::move(parts[kTrain]);
    const SplitRequest cut{
        SplitMethod::kRandom, {1 - options.valid_share, options.valid_share, 0}, options.seed};
    auto pieces = rows_by_part(training.rows, split_pairs(training, cut, executor), executor);
    parts[kTrain] = std::move(pieces[kTrain]);
    parts[kValid] = std::move(pieces[kValid]);
  }

  Rows merged(std::span<const PairList> files) const {
    std::vector<std::vector<uint32_t>> users(files.size());
    std::vector<std::vector<uint32_t>> counts(files.size());
    std::vector<UnsortedPairs> unsorted;
    for (size_t f = 0; f < files.size(); ++f) {
      const Rows& rows = files[f].rows;
      for (uint32_t user = 0; user < rows.users(); ++user) {
        if (rows.offsets[user] == rows.offsets[user + 1]) continue;
        users[f].push_back(user);
        counts[f].push_back(static_cast<uint32_t>(rows.offsets[user + 1] - rows.offsets[user]));
      }
      unsorted.push_back({users[f], counts[f], rows.items, {}});
    }
    return sort_pairs(unsorted, pairs.users(), pairs.items(), executor).rows;
  }

  std::string recipe_json(const std::vector<std::string>& inputs) const {
    Json recipe;
    PrepareOptions copy = options;
    Options table;
    copy.declare(table);
    for (const Option& option : table.all()) recipe["options"][option.name()] = option.value();
    recipe["inputs"] = inputs;
    recipe["read_as"] = report.format;
    for (const PrepareStep& step : report.steps)
      recipe["steps"].push_back(
          {{"step", step.what}, {"pairs", step.pairs}, {"removed", step.removed}});
    return json_line(recipe);
  }
};

// Options that cannot be honoured are refused, not ignored.
void check_own_split(const PrepareOptions& options, bool own_split) {
  const SplitOptions usual;
  if (own_split && (options.split.method != usual.method || options.split.ratios != usual.ratios))
    fail(
        "split and ratios cannot be combined with your own valid_file or test_file; leave them "
        "out, "
        "or cut a validation part off the training data with valid_share.");
  if (options.valid_share == 0) return;
  if (!own_split) fail("valid_share goes with test_file; without it, ratios say the same.");
  if (!options.valid_file.empty())
    fail("valid_share and valid_file both give a validation part; leave one of them out.");
}

}  // namespace

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
  options.add(
      "memory_limit_mb", memory_limit_mb,
      "limit in MiB; data that needs more memory is refused. 0 is half of the machine's memory");
  options.add("overwrite", overwrite, "replace an existing prepared dataset");
}

void PrepareOptions::set(std::string_view name, std::string_view text) {
  Options table;
  declare(table);
  table.set(name, text, OptionSource::kSet);
}

namespace {

PrepareReport prepare_from(const PairSources& sources, const fs::path& output,
                           const PrepareOptions& options, const Executor& executor) {
  // Refused before the input is read, and checked again when the output is written.
  StagedFolder staging(output, replaceable_files(output, options.overwrite));
  const bool own_split = sources.own_split();
  if (own_split && std::max({options.k_core, options.user_core, options.item_core}) > 1)
    fail("a core would change your own split; filter before splitting, or leave k_core out.");
  check_own_split(options, own_split);
  Preparation work{options, executor, {}, {}, {}};
  work.read(sources);
  if (!own_split) {
    work.filter();
    work.split();
  }
  std::vector<std::string> titles;
  if (!options.item_names.empty()) {
    ItemTitles found = read_item_titles(options.item_names, options.item_name_column,
                                        work.pairs.item_ids, options.encoding);
    if (found.found == 0)
      fail("{} names none of the {} items of the data; its first column must hold the same ids.",
           options.item_names, work.pairs.items());
    work.report.titles = found.found;
    titles = std::move(found.titles);
  }
  const uint32_t items = work.pairs.items();
  PreparedContents contents;
  contents.train = work.parts[kTrain].view(items);
  contents.valid = work.parts[kValid].view(items);
  contents.test = work.parts[kTest].view(items);
  contents.user_ids = work.pairs.user_ids;
  contents.item_ids = work.pairs.item_ids;
  contents.item_names = titles;
  work.report.train = contents.train.pairs();
  work.report.valid = contents.valid.pairs();
  work.report.test = contents.test.pairs();
  if (work.report.train == 0) fail("no pair is left for training; give train a larger ratio.");
  contents.recipe_json = work.recipe_json(sources.names);
  contents.overlap = own_split ? Overlap::kPossible : Overlap::kImpossible;
  const WrittenDataset written = write_prepared(staging, contents, executor);
  staging.commit();
  work.report.hash = written.hash;
  work.report.statistics_json = statistics_json(written.statistics);
  work.report.leaks = written.statistics.leaks;
  for (const auto& leak : written.statistics.leak_examples)
    work.report.leak_examples.push_back(
        fmt::format("({}, {})", work.pairs.user_ids[leak.user], work.pairs.item_ids[leak.item]));
  return work.report;
}

// Options that describe files mean nothing for pairs in memory.
void refuse_file_options(const PrepareOptions& options) {
  PrepareOptions defaults;
  PrepareOptions given = options;
  Options expected;
  Options table;
  defaults.declare(expected);
  given.declare(table);
  for (const char* name : {"format", "delimiter", "user_column", "item_column", "rating_column",
                           "time_column", "valid_file", "test_file"})
    if (table.find(name)->value() != expected.find(name)->value())
      fail("the option {} describes a file, but the pairs are given in memory; leave it out.",
           name);
}

}  // namespace

PrepareReport prepare_dataset(const std::vector<std::string>& inputs, const fs::path& output,
                              const PrepareOptions& options, const Executor& executor) {
  PairSources sources{.read =
                          [&](PairReader& reader) {
                            for (const std::string& input : inputs) reader.read(input);
                            if (!options.valid_file.empty()) reader.read(options.valid_file);
                            if (!options.test_file.empty()) reader.read(options.test_file);
                          },
                      .train = inputs.size(),
                      .valid = !options.valid_file.empty(),
                      .test = !options.test_file.empty(),
                      .names = inputs};
  return prepare_from(sources, output, options, executor);
}

PrepareReport prepare_dataset(const PairColumns& pairs, const fs::path& output,
                              const PrepareOptions& options, const Executor& executor) {
  refuse_file_options(options);
  const PairSources sources{.read = [&](PairReader& reader) { reader.read(pairs); }, .names = {}};
  return prepare_from(sources, output, options, executor);
}

PrepareReport prepare_dataset(const PairColumns& train, const PairColumns& valid,
                              const PairColumns& test, const fs::path& output,
                              const PrepareOptions& options, const Executor& executor) {
  refuse_file_options(options);
  PairSources sources{.read =
                          [&](PairReader& reader) {
                            for (const PairColumns* part : {&train, &valid, &test})
                              if (part == &train || part->size() > 0) reader.read(*part);
                          },
                      .valid = valid.size() > 0,
                      .test = test.size() > 0,
                      .names = {},
                      .only_train = valid.size() == 0 && test.size() == 0};
  return prepare_from(sources, output, options, executor);
}

}  // namespace divns
