// SPDX-License-Identifier: Apache-2.0
#include "data/prepare_job.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/check.h"
#include "base/json.h"
#include "data/dataset_writer.h"
#include "data/filters.h"
#include "data/item_titles.h"
#include "data/layout.h"
#include "data/line_parser.h"
#include "data/pair_list.h"
#include "data/split.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

int64_t time_bound(const std::string& text, const char* name, int64_t open_end) {
  if (text.empty()) return open_end;
  try {
    return parse_time(text, 0);
  } catch (const LineError&) {
    fail("{} is '{}', but a number or a date like 2018-07-07 is expected.", name, text);
  }
}

ReadRequest read_request(const PrepareOptions& options, const MemoryBudget& budget) {
  ReadRequest request;
  request.budget = budget;
  request.layout = options.layout;
  request.encoding = options.encoding;
  request.filter.min_rating = options.min_rating.value_or(-std::numeric_limits<double>::infinity());
  request.filter.from_time = time_bound(options.since, "since", INT64_MIN);
  request.filter.until_time = time_bound(options.until, "until", INT64_MAX);
  request.keep_times = needs_times(options.split.method);
  request.keep_times_if_any = options.split.method == SplitMethod::kLeaveOneOut;
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

// The state that passes through the steps.
struct Preparation {
  const PrepareOptions& options;
  const Executor& executor;
  ScratchSpace& disk;
  PrepareReport report = {};
  PairList list = {};
  std::array<SlabStore, 3> parts = {};

  void step(const std::string& what, uint64_t left, uint64_t before) {
    report.steps.push_back({what, left, list.users(), list.items(), before - left});
  }

  void read(const PairSources& sources, const MemoryBudget& budget) {
    PairReader reader(read_request(options, budget), disk, executor);
    sources.read(reader);
    // The files of the training part make one group; those of the others follow.
    std::vector<size_t> groups(reader.layouts().size());
    for (size_t file = sources.train; file < groups.size() && sources.own_split(); ++file)
      groups[file] = file - sources.train + 1;
    PairReader::Result result = reader.finish(groups, groups.back() + 1);
    const auto& counts = reader.counts();
    report.format = describe(reader.layouts()[0]);
    list.user_ids = std::move(result.user_ids);
    list.item_ids = std::move(result.item_ids);
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
    for (const SlabStore& group : result.groups) distinct += group.pairs();
    step("repeated pairs merged", distinct, left);
    if (distinct == 0) fail("no pair is left after the rating and time filters; loosen them.");
    if (sources.own_split())
      take_parts(result.groups, sources);
    else
      list.pairs = std::move(result.groups[0]);
  }

  void filter() {
    const int users = std::max(options.k_core, options.user_core);
    const int items = std::max(options.k_core, options.item_core);
    if (users <= 1 && items <= 1) return;
    const uint64_t before = list.pairs.pairs();
    const int rounds = keep_core(list, static_cast<uint32_t>(users), static_cast<uint32_t>(items));
    if (list.pairs.pairs() == 0)
      fail("the {}-core of users and {}-core of items is empty; choose smaller numbers.", users,
           items);
    step(fmt::format("core of {} a user, {} an item ({} rounds)", users, items, rounds),
         list.pairs.pairs(), before);
  }

  void split() {
    parts = divide(list.pairs, options.split.request(options.seed), executor);
    list.pairs = SlabStore();
  }

  // The caller's own split.
  void take_parts(std::vector<SlabStore>& groups, const PairSources& sources) {
    // Without a share for validation, all are for training.
    const SplitRequest cut{
        SplitMethod::kRandom, {1 - options.valid_share, options.valid_share, 0}, options.seed};
    parts = divide(groups[0], cut, executor);
    if (sources.valid) parts[kValid] = std::move(groups[1]);
    if (sources.test) parts[kTest] = std::move(groups.back());
  }

  std::string recipe_json(const std::vector<std::string>& inputs) const {
    Json recipe;
    PrepareOptions copy = options;
    Options table;
    copy.declare(table);
    for (const Option& option : table.all())
      if (option.name() != "memory_limit" && option.name() != "scratch")  // as with threads
        recipe["options"][option.name()] = option.value();
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

PrepareReport prepare_from(const PairSources& sources, const fs::path& output,
                           const PrepareOptions& options, const MemoryBudget& budget,
                           const Executor& executor) {
  // Refused before the input is read, and checked again when the output is written.
  StagedFolder staging(output, replaceable_files(output, options.overwrite));
  const bool own_split = sources.own_split();
  if (own_split && std::max({options.k_core, options.user_core, options.item_core}) > 1)
    fail("a core would change your own split; filter before splitting, or leave k_core out.");
  check_own_split(options, own_split);
  ScratchSpace disk(options.scratch.empty() ? fs::temp_directory_path()
                                            : fs::path(options.scratch));
  Preparation work{options, executor, disk};
  work.read(sources, budget);
  if (!own_split) {
    work.filter();
    work.split();
  }
  PreparedContents contents{work.parts, work.list.user_ids, work.list.item_ids};
  if (!options.item_names.empty()) {
    ItemTitles found = read_item_titles(options.item_names, options.item_name_column,
                                        work.list.item_ids, options.encoding);
    if (found.found == 0)
      fail("{} names none of the {} items of the data; its first column must hold the same ids.",
           options.item_names, work.list.items());
    work.report.titles = found.found;
    contents.item_names = IdList(found.titles);
  }
  work.report.train = work.parts[kTrain].pairs();
  work.report.valid = work.parts[kValid].pairs();
  work.report.test = work.parts[kTest].pairs();
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
        fmt::format("({}, {})", work.list.user_ids[leak.user], work.list.item_ids[leak.item]));
  work.report.scratch_bytes = disk.peak();
  return work.report;
}

}  // namespace divns
