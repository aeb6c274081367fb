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
  FoldInOptions fold;
  Options options;

  explicit RecommendVerb(Command verb) {
    options.add("user", user, "ids of users; may be repeated");
    options.add("users_file", users_file, "a file with the id of a user on each line");
    options.add("all", all, "every user of the model");
    options.add("history", history, "ids of items: recommend to a new user who has these");
    options.add("history_file", history_file,
                "one new user a line: ids of items, with commas between");
    options.add("k", k, "items to a list").alias("topk").range(1, 1e6);
    options.add("items", items, "a file with the ids of the only items allowed");
    options.add("exclude", exclude, "a file with the ids of items not allowed");
    options.add("keep_seen", keep_seen, "do not leave out the items a user has in training");
    options.add("data", data, "the prepared dataset (default: the one the run was trained on)");
    options.add("out", out, "file to write: .csv, .jsonl or .npy (default: the screen)").alias("o");
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
          "{} of --user, --users-file, --all, --history and --history-file were given, but exactly "
          "one is expected.",
          ways);
    const Stopwatch watch;
    const SavedRun run = open_run(path);
    const ListNames names = {"user", "item", run.model.items(),
                             [&](uint32_t i) { return run.model.item_id(i); },
                             [&](uint32_t i) { return run.model.item_name(i); }};
    const auto writer = out.empty() ? ListWriter::to_text(common.json, names, print_result)
                                    : ListWriter::to_file(out, names);
    const size_t lists = history.empty() && history_file.empty() ? for_known_users(run, *writer)
                                                                 : for_new_users(run, *writer);
    writer->finish();
    if (!out.empty() && common.json)
      print_result(json_text(Json{{"output", out}, {"lists", lists}}));
    else if (!out.empty())
      say(common, "{} lists written to {} in {:.2f} s", with_commas(lists), out, watch.seconds());
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
    std::optional<Dataset> dataset;
    if (!keep_seen) {
      dataset.emplace(run.open_dataset(data));
      asked.seen = dataset->train();
    }
    for (size_t begin = 0; begin < rows.size(); begin += kUsersAtATime) {
      const auto some =
          std::span(rows).subspan(begin, std::min(kUsersAtATime, rows.size() - begin));
      std::vector<std::string> labels;
      for (const uint32_t row : some) labels.emplace_back(run.model.user_id(row));
      writer.add(labels,
                 recommend(run.model.user_vectors(), some, run.model.item_vectors(), asked));
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
    const VectorTable item_vectors = run.model.item_vectors();
    const Interactions histories = {newcomers.offsets, newcomers.items, item_vectors.rows};
    fold.threads = common.threads;
    const std::vector<float> vectors = fold_in(item_vectors, histories, fold);
    std::vector<uint32_t> rows(histories.users());
    std::iota(rows.begin(), rows.end(), 0U);
    RecommendOptions asked = request(run.model);
    if (!keep_seen) asked.seen = histories;
    writer.add(newcomers.labels,
               recommend({vectors.data(), histories.users(), item_vectors.dim, item_vectors.dim},
                         rows, item_vectors, asked));
    return rows.size();
  }
};

}  // namespace

void add_recommend_verb(Command root) {
  install<RecommendVerb>(root.add_verb("recommend", "the best items for users, old and new"));
}

}  // namespace divns::app
