// SPDX-License-Identifier: Apache-2.0
#include "divns/recommend.h"

#include <algorithm>
#include <numeric>

#include "divns/ids.h"
#include "divns/ranked_lists.h"
#include "divns/saved_run.h"
#include "divns/stopwatch.h"
#include "divns/text_table.h"
#include "fail.h"
#include "fold_in_options.h"
#include "json.h"
#include "verbs.h"

namespace divns::app {
namespace {

// Lists are made and written so many users at a time, which bounds the memory.
constexpr size_t kUsersAtATime = 65536;

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// People who were not in training: a row of items each.
struct Newcomers {
  std::vector<std::string> labels;
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> items;

  void add(std::string label, std::vector<uint32_t> history) {
    std::sort(history.begin(), history.end());
    history.erase(std::unique(history.begin(), history.end()), history.end());
    items.insert(items.end(), history.begin(), history.end());
    offsets.push_back(items.size());
    labels.push_back(std::move(label));
  }
};

struct RecommendVerb {
  CommonOptions common;
  std::string path;
  std::string data;
  std::vector<std::string> user;
  std::string users_file;
  bool all = false;
  std::vector<std::string> history;
  std::string history_file;
  int k = 10;
  std::string items;
  std::string exclude;
  bool keep_seen = false;
  std::string out;
  bool for_spreadsheets = false;
  FoldInOptions fold;
  Options options;
  std::optional<Dataset> dataset;  // if it was opened

  explicit RecommendVerb(Command verb) {
    options.add("user", user, "ids of users; may be repeated");
    options.add("users_file", users_file, "file with one user id per line");
    options.add("all", all, "recommend to every user of the model");
    options.add("history", history, "item ids: recommend to a new user who interacted with these");
    options.add("history_file", history_file,
                "file with the item ids of one new user per line, separated by commas");
    options.add("k", k, "number of items per list").alias("topk").range(1, 1e6);
    options.add("items", items,
                "file with the only item ids that may be recommended, one per line");
    options.add("exclude", exclude, "file with item ids that are never recommended, one per line");
    options.add("keep_seen", keep_seen,
                "also recommend items that the user has in the training data");
    options.add("data", data, "prepared dataset (default: the one that the run was trained on)");
    options.add("out", out, "file to write: .csv, .jsonl or .npy (default: the screen)").alias("o");
    options.add("for_spreadsheets", for_spreadsheets,
                "CSV: put an apostrophe before ids and titles that begin with = + - or @, which "
                "spreadsheets run as formulas");
    declare_fold_in(fold, options);
    common.declare(options);
    verb.positional("run", path, "folder of a run, or a model file")
        .options(options)
        .example("divns recommend run --user alice --k 5")
        .example("divns recommend run --all --out top.csv")
        .example("divns recommend run --history 50,181,172")
        .action([this] { run(); });
  }

  void run() {
    const int ways = static_cast<int>(!user.empty()) + static_cast<int>(!users_file.empty()) +
                     static_cast<int>(all) + static_cast<int>(!history.empty()) +
                     static_cast<int>(!history_file.empty());
    if (ways != 1)
      fail(
          "{} of --user, --users-file, --all, --history and --history-file were given; say with "
          "exactly one of them whom to recommend to.",
          ways == 0 ? "none" : std::to_string(ways));
    const Stopwatch watch;
    const SavedRun run = open_run(path);
    const bool known_users = history.empty() && history_file.empty();
    if ((known_users && !keep_seen) || !data.empty()) dataset.emplace(run.open_dataset(data));
    const ListNames names = {"user", "item", run.model.items(),
                             [&](uint32_t i) { return run.model.item_id(i); },
                             [&](uint32_t i) { return title(run.model, i); }};
    const auto writer = out.empty() ? ListWriter::to_text(common.json, names, print_result)
                                    : ListWriter::to_file(out, names, for_spreadsheets);
    const size_t lists = known_users ? for_known_users(run, *writer) : for_new_users(run, *writer);
    writer->finish();
    if (!out.empty() && common.json)
      print_result(json_text(Json{{"output", out}, {"lists", lists}}));
    else if (!out.empty())
      say(common, "{} lists written to {} in {:.2f} s", with_commas(lists), out, watch.seconds());
  }

  // From the model, or from the dataset if titles were added to it later.
  std::string_view title(const TrainedModel& model, uint32_t item) const {
    const std::string_view own = model.item_name(item);
    return own.empty() && dataset ? dataset->item_name(item) : own;
  }

  RecommendOptions request(const TrainedModel& model) const {
    RecommendOptions request;
    request.k = static_cast<uint32_t>(k);
    request.threads = common.threads;
    if (!items.empty()) request.allowed = find_items(model, read_lines(items), items);
    if (!exclude.empty()) request.denied = find_items(model, read_lines(exclude), exclude);
    return request;
  }

  size_t for_known_users(const SavedRun& run, ListWriter& writer) const {
    std::vector<uint32_t> rows;
    if (all) {
      rows.resize(run.model.users());
      std::iota(rows.begin(), rows.end(), 0U);
    } else if (!users_file.empty()) {
      rows = find_users(run.model, read_lines(users_file), users_file);
    } else {
      rows = find_users(run.model, user, "--user");
    }
    RecommendOptions asked = request(run.model);
    if (!keep_seen) asked.seen = dataset->train();
    for (size_t begin = 0; begin < rows.size(); begin += kUsersAtATime) {
      const auto some =
          std::span(rows).subspan(begin, std::min(kUsersAtATime, rows.size() - begin));
      std::vector<std::string> labels;
      for (const uint32_t row : some) labels.emplace_back(run.model.user_id(row));
      writer.add(labels, recommend(run.model.scorer(), some, asked));
    }
    return rows.size();
  }

  size_t for_new_users(const SavedRun& run, ListWriter& writer) {
    Newcomers newcomers;
    if (!history.empty()) {
      newcomers.add("new", find_items(run.model, history, "--history"));
    } else {
      size_t number = 0;
      for (const std::string& line : read_lines(history_file)) {
        ++number;
        newcomers.add(fmt::format("line {}", number),
                      find_items(run.model, split_commas(line),
                                 fmt::format("{}, line {}", history_file, number)));
      }
    }
    const Interactions histories = {newcomers.offsets, newcomers.items, run.model.items()};
    fold.threads = common.threads;
    RecommendOptions asked = request(run.model);
    if (!keep_seen) asked.seen = histories;
    writer.add(newcomers.labels, recommend(run.model, fold_in(run.model, histories, fold), asked));
    return histories.users();
  }
};

}  // namespace

void add_recommend_verb(Command root) {
  install<RecommendVerb>(root.add_verb("recommend", "the best items for users, known and new"));
}

}  // namespace divns::app
